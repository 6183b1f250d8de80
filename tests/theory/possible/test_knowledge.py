"""One knowledge: the atlas and the map never contradict each other, and whoever is asked says the same."""

from __future__ import annotations

from itertools import combinations

import pytest

import goodmeasure as gm
from goodmeasure.recommendation.recommend import _together_on
from goodmeasure.theory.possible import knowledge
from goodmeasure.theory.possible.knowledge import contradiction_of, measures_with, proved, settled
from goodmeasure.theory.possible.map import stored
from goodmeasure.web.answers.compare_measures import possibility_map

REGIONS = [x for x in stored().regions if x.domain != "non-unary"]  # of which the atlas knows nothing
ids = {"argvalues": REGIONS, "ids": [x.title for x in REGIONS]}


@pytest.mark.parametrize("region", **ids)
def test_no_measure_of_the_catalogue_has_what_is_impossible(region):
    known = proved(region.classes, region.domain)
    assert len(known) > 60
    wrong = [(name, x["properties"]) for x in region.impossible for name, has in known.items()
             if set(x["properties"]) <= has]  # fmt: skip
    assert wrong == []


@pytest.mark.parametrize("region", **ids)
def test_an_impossibility_leaves_no_cell_of_the_atlas_open(region):
    assert settled(region.classes, region.domain) == []


def test_a_cell_that_is_open_is_settled_by_an_impossibility(monkeypatch):
    """If nothing were known of the baseline of accuracy, theorem 1 would settle it."""
    statuses = {name: dict(has) for name, has in knowledge._statuses(2, "all").items()}
    statuses["accuracy"]["constant_baseline"] = "held"
    monkeypatch.setattr(knowledge, "_statuses", lambda classes, domain: statuses)
    assert set(settled(2, "all")) == {("accuracy", "constant_baseline")}


@pytest.mark.parametrize("region", **ids)
def test_no_set_that_a_measure_is_proved_to_have_is_called_unknown(region):
    """Map, page and recommendation name a measure for what the atlas proves, pair by pair and as a whole."""
    known = {name: has & set(region.properties) for name, has in proved(region.classes, region.domain).items()}
    page = next(x for x in possibility_map()["regions"] if x["title"] == region.title)
    for has in set(known.values()):
        assert contradiction_of(has, classes=region.classes, domain=region.domain) is None
        assert not has or measures_with(has, classes=region.classes, domain=region.domain)
        assert any(has <= set(x["properties"]) for x in page["possible"])
        for entry in region.possible:
            if set(entry["properties"]) <= has:
                assert entry["measure"] is not None, (region.title, entry["properties"])
    for pair in combinations(region.properties, 2):
        who = measures_with(pair, classes=region.classes, domain=region.domain)
        excluded = contradiction_of(pair, classes=region.classes, domain=region.domain)
        assert not (who and excluded)
        if excluded is not None:
            assert _together_on(region.domain, list(pair), region.classes)[0].used == excluded.used


@pytest.mark.parametrize(
    "names", [("CHA", "CB", "Mon"), ("Max", "PIV", "CB"), ("Sym", "Scale", "Mon", "IMB"), ("Min", "CSym")]
)
def test_possible_names_the_measure_that_the_atlas_knows(names):
    found = gm.possible(*names, n=2)
    assert set(gm.check(found.known, properties=list(names), n=2).statuses.values()) == {"proved"}
    assert "for every n." in str(found)
    assert "nothing is known" not in str(found)


def test_a_property_that_is_not_linear_is_answered_with_a_measure():
    with pytest.raises(gm.InputError, match="but balanced_accuracy is proved to have all of these, for every n"):
        gm.possible("monotone", "opitz_class_sensitive", "constant_baseline")


def test_the_map_is_asked_where_the_search_ends():
    """A contradiction that needs more items than are searched is found in the map."""
    found = contradiction_of(["minimal_agreement", "constant_baseline", "symmetry"], classes=3, domain="all")
    assert found.used == ("minimal_agreement", "constant_baseline")
    assert gm.verify(found)
    assert contradiction_of(["symmetry", "monotone"], classes=3, domain="all") is None
