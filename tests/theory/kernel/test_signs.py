"""The tables of signs, against numbers."""

from fractions import Fraction
from itertools import product

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.signs import NEGATIVE, POSITIVE, ZERO

NUMBERS = (-2, -1, 0, 1, 2)


def of_all(numbers):
    """The set of the signs of some numbers."""
    found = 0
    for x in numbers:
        found |= signs.of_number(x)
    return found


def among(known):
    """The numbers that have one of some signs."""
    return [x for x in NUMBERS if signs.of_number(x) & known]


def test_signs_of_numbers():
    assert [signs.of_number(x) for x in (-1, 0, Fraction(1, 3), 7)] == [NEGATIVE, ZERO, POSITIVE, POSITIVE]
    assert [signs.single(x) for x in range(8)] == [None, -1, 0, None, 1, None, None, None]
    assert {word: among(x) for word, x in signs.WORDS.items()} == {
        ">": [1, 2], ">=": [0, 1, 2], "<": [-2, -1], "<=": [-2, -1, 0], "=": [0], "!=": [-2, -1, 1, 2],
    }  # fmt: skip
    assert among(signs.UNKNOWN) == list(NUMBERS)


def test_signs_of_products_sums_and_negatives():
    for a, b in product(range(8), repeat=2):
        pairs = list(product(among(a), among(b)))
        assert signs.TIMES[a, b] == of_all(x * y for x, y in pairs)
        assert signs.PLUS[a, b] == of_all(x + y for x, y in pairs)
        assert signs.TURNED[a] == of_all(-x for x in among(a))
    assert len(signs.TIMES) == len(signs.PLUS) == 64
    assert len(signs.TURNED) == 8


def test_signs_of_powers():
    for a in range(8):
        for exponent in (1, 2, 3, 4):
            assert signs.power(a, exponent) == of_all(x**exponent for x in among(a))
        for exponent in (-1, -2, -3):
            assert signs.power(a, exponent) & ~ZERO == of_all(Fraction(x) ** exponent for x in among(a) if x)
        assert signs.power(a, 0) == POSITIVE
    assert signs.power(signs.NOT_NEGATIVE, Fraction(1, 2)) == signs.NOT_NEGATIVE
    assert signs.power(POSITIVE, Fraction(-2, 3)) == POSITIVE
    assert signs.power(signs.UNKNOWN, Fraction(4, 3)) == signs.NOT_NEGATIVE  # of what is not negative
