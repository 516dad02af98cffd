"""The documents, set with Typst in one house style."""

from houseway.documents.press import typeset

__all__ = ["typeset"]
