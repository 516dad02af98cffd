"""The documents, set with Typst in one house style."""

from houseway.documents.typesetting import typeset

__all__ = ["typeset"]
