"""Break what meets a clause and see whether a test that cites the clause notices.

`script/prove` runs it; `docs/reference/proof.md` says how a proof is made and what it is worth.
"""
