"""Excel workbooks: PAR sheets with live formulas, and tables of results."""
