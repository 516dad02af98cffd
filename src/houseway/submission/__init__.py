"""A Rules Submission: read, checked against its chapter, compared, and made into a packet."""

from houseway.submission.checks.run_checks import Checked, check, check_text
from houseway.submission.file import Submission, read_submission
from houseway.submission.finding import Finding

__all__ = ["Checked", "Finding", "Submission", "check", "check_text", "read_submission"]
