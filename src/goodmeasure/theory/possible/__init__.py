"""Decide which properties a measure can have together, and construct measures from normalisers.

For given numbers of items a measure is a table of values, one for each confusion matrix, and most properties are linear
equalities and inequalities between these values (`demands.py`, `program.py`). Either a few rows contradict each other
(`farkas.py`), which is a proof that no measure has the properties, and sometimes one for every n (`lift.py`); or there
is a table that satisfies all rows (`witness_table.py`). The solver works in floats, and its answer is only a guess:
every contradiction and every table is made exact and then checked by the kernel before it is returned.

The other half (`normaliser.py`, `normaliser_conditions.py`, `named_means.py`, `rational.py`, `balls.py`) is about
measures of the form s(p_A, p_B)·(p_AB − p_A p_B), and six conditions on s under which they have every property of the
nine except distance.
"""
