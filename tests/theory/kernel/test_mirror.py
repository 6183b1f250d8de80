"""Trees that look as if the transpose had the same value."""

from goodmeasure.language import tree as t

from .forging import cell, of_tree, on_matrix, op, over, refused

FIRST, SECOND, THIRD = map(t.ClassVariable, (1, 2, 3))


def test_sums_that_bind_different_classes_differ():
    """One sum over j of c_ij·c_ji, and one over a third class, in which i and j are given."""
    own = over(1, op("mul", cell(THIRD, FIRST), cell(FIRST, THIRD)))
    other = over(1, op("mul", cell(THIRD, SECOND), cell(SECOND, THIRD)))
    inner = over(2, op("add", op("mul", own, cell(THIRD, SECOND)), op("mul", other, cell(SECOND, THIRD))), "greatest")
    tree = over(3, op("add", own, inner))
    rows = [[1, 0, 2], [0, 3, 3], [3, 3, 1]]
    assert not (on_matrix(tree, rows) - on_matrix(tree, list(zip(*rows, strict=True)))).is_zero()
    refused(of_tree(tree, "symmetry", m=3, by="mirrored"), "transpose")


def test_nodes_that_occur_often_are_read_once():
    x = over(1, cell(FIRST, FIRST))
    for _ in range(60):
        x = op("add", x, x)
    refused(of_tree(x, "symmetry", by="mirrored"), "too many parts")
