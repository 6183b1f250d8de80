"""Pieces of a report are built once for each result, and go with it."""

from __future__ import annotations

import gc
from weakref import ref

from goodmeasure.report.content.built_once import built_once


class Result:
    """Anything that can be asked for pieces."""


def test_a_piece_is_built_once_for_each_result_and_each_way_to_ask():
    asked = []

    @built_once
    def piece(result, size=1, *, loud=False):
        asked.append((result, size, loud))
        return [size] if loud else size

    one, two = Result(), Result()
    assert [piece(one), piece(one), piece(one, 2), piece(one, 2), piece(one, 2, loud=True), piece(two)] == [
        *(1, 1, 2, 2, [2], 1)
    ]
    assert asked == [(one, 1, False), (one, 2, False), (one, 2, True), (two, 1, False)]


def test_pieces_do_not_keep_a_result_alive():
    piece = built_once(lambda result: "piece")
    result = Result()
    gone = ref(result)
    piece(result)
    del result
    gc.collect()
    assert gone() is None
