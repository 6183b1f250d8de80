"""Text that files, reports and terminals get wrong most easily: every format that is read or written is tried on it."""

from __future__ import annotations

HOSTILE = (
    # what ends a row or a cell
    "a\rb", "a\nb", "a\r\nb", "\r=1+1", "a\tb", "a,b", "a;b", "a|b", 'a"b', '"', '""', "'", "a\x0bb", "a\x0cb",
    "a\x1cb", "a\x85b", "a\u2028b", "a\u2029b", "\\", "a\\", "\\n", "\\N", "\\.",
    # what a spreadsheet takes for a formula
    "=1+1", "+1+1", "-1+1", "@SUM(A1)", "=cmd|'/C calc'!A0", " =1", "\u00a0=1", "\uff1d1+1", "\t=1", "'=1",
    # what Markdown, TeX and HTML take for their own
    "<b>x</b>", "<script>alert(1)</script>", "&amp;", "a&b", "*x*", "_x_", "`x`", "[x](y)", "![x](y)", "# x", "a||b",
    "$x$", "%x", "{x}", "\\input{x}", "^x", "~x", "-->", "]]>",
    # what a reader takes for a number, a truth value or a missing value, or trims
    "01", "1.0", "+1", "1e5", "1_000", "0x10", "inf", "nan", "NaN", "NA", "null", "None", "true", " x", "x ", "x\u00a0",
    # letters
    "e\u0301", "\u00e9", "\u202eabc", "\u200b", "a\u200bb", "\ufeffx", "\U0001f600", "\u4e2d\u6587", "\u0130",
    "x" * 300, "\x1b[31mred", "\x07",
)  # fmt: skip
"""Labels, names of systems and values of slices; all are different, and none is empty."""
