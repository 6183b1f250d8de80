"""Check certificates, with one file for each kind of statement: `verify.py` is the front door.

What a certificate proves, and how far a successful check can be relied on, is written in `verify.py`; the rules for
signs are in `signs.py`, and proofs about all measures at once in `impossibility.py` and `value_table.py`.
"""
