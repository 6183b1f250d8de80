"""Check certificates, with one file for each kind of statement: `verify.py` is the front door.

`verify.py` says what a certificate proves and how far a successful check can be relied on. The rules for signs are at
the top of `arithmetic.py`; claims about all measures at once are checked in `impossibility.py` and `value_table.py`.
"""
