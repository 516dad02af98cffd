"""Stakes, settled lines, chips in the tray and linked meters."""
