"""The kernel, which checks certificates and searches for nothing.

It uses the standard library, the statements (`theory/statements/`) and the form of trees (`language/tree.py`) only.

>>> import goodmeasure as gm
>>> from goodmeasure.theory.kernel import check
>>> check(gm.check(gm.accuracy, properties="symmetry")["symmetry"].certificate.to_dict())
"""

from goodmeasure.theory.kernel.entry import FORMAT as FORMAT
from goodmeasure.theory.kernel.entry import check as check
from goodmeasure.theory.kernel.refusal import Refused as Refused
