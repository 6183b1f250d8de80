"""Attack the search for proofs and the kernel: random definitions, and damaged certificates.

For each definition some statements are given to the search, without one for counterexamples before it. Whatever it
calls proved is checked, and attacked: by brute force with few items, at random large cells, and where a cell is 0 or 1
(`attacks.py`). Each certificate is damaged, and the kernel must refuse it with a `CertificateError`, or what it
claims now must survive the same attacks. Nothing may take longer than its time limit, or raise anything else.
"""

from __future__ import annotations

import json
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import goodmeasure as gm
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.theory.search.prove import prove, prove_vacuous
from goodmeasure.theory.statements.certificate import Certificate
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.subject.time_limits import TooSlow, time_limit
from goodmeasure.theory.verified_proofs import VerifiedProofs
from tests.fuzz.attacks import ATTACKS, counterexample, instance
from tests.fuzz.certificates import damaged
from tests.fuzz.definitions import EVERY, Definition, definition

DOMAINS = ("all", "non-unary", "regular")
POLICIES = ("resolve", "resolve", "nan", 0, 5)
PROOF, VERIFY = 4.0, 60.0  # seconds: a proof that takes longer is given up, a verification that does is a finding
ONLY_TWO = ("sebastiani_con", "approximate_constant_baseline(")


@dataclass
class Tally:
    """What was tried, and what was found."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def says(self) -> str:
        """Return the counts in one sentence."""
        k = self.counts
        return (
            f"{k['definitions']:,} definitions ({k['hostile']:,} hostile), {k['statements']:,} statements, "
            f"{k['proved']:,} proved and verified ({k['hostile proved']:,} of hostile ones), "
            f"{k['vacuous']:,} vacuous, {k['refused']:,} refused by the kernel, {k['attacks']:,} attacks, "
            f"{k['damaged']:,} damaged certificates ({k['damaged accepted']:,} still proofs): "
            f"{len(self.findings)} findings."
        )


def fuzzed_proofs(
    seconds: float, definitions: int | None, seed: int, *, damages: int = 6, tries: int = 60, first: int = 0
) -> Tally:
    """Return what attacks on random definitions found within some seconds, or with so many definitions."""
    tally, end, number = Tally(), time.monotonic() + seconds, first
    while time.monotonic() < end and (definitions is None or number < first + definitions):
        rng = Random(f"proofs {seed} {number}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Trial(definition(rng), rng, tally, f"seed {seed}, number {number}").run(damages, tries)
        number += 1
    return tally


class Trial:
    """One definition under attack."""

    def __init__(self, of: Definition, rng: Random, tally: Tally, name: str) -> None:
        self.of, self.rng, self.tally, self.name = of, rng, tally, name
        self.measure = as_measure(of.function())
        self.domain, self.undefined = rng.choice(DOMAINS), rng.choice(POLICIES)

    def run(self, damages: int, tries: int) -> None:
        """Try to prove some statements, and attack what is proved."""
        self.tally.counts["definitions"] += 1
        self.tally.counts["hostile"] += self.of.hostile
        known = [x for x in ATTACKS if self.of.classes == 2 or not x.startswith(ONLY_TWO)]
        for name in self.rng.sample(known, 5):
            self.tally.counts["statements"] += 1
            certificate = self.proof(name)
            if certificate is None:
                self.about_nothing(name)
                continue
            accepted = self.verified(json.loads(json.dumps(certificate.to_dict())))
            self.tally.counts["proved" if accepted else "refused"] += 1
            self.tally.counts["hostile proved"] += bool(accepted and self.of.hostile)
            shown = None if certificate.vacuous else self.attacked(certificate.to_dict(), tries)
            if shown is not None:
                self.find(f"{'' if accepted else 'un'}verified false proof of {name}", shown)
            elif not accepted and not self.of.hostile:
                self.find(f"a proof of {name} that the kernel refuses", self.why)
            if accepted and shown is None:
                for _ in range(damages):
                    self.damage(certificate.to_dict(), tries // 3)

    def proof(self, name: str) -> Any:
        """Return what the search finds within its time; a function may raise anything when it meets symbols.

        What a hostile function does with symbols is compared with what it does with numbers, as `gm.check` does.
        """
        try:
            with time_limit(3 * PROOF, lambda: "the proof"):
                if self.of.hostile:
                    proofs = VerifiedProofs(self.measure, domain_of(self.domain), self.undefined)
                    return proofs.of(name, self.of.classes)
                found = prove(
                    self.measure, statement(name), self.of.classes, self.domain, str(self.undefined), seconds=PROOF
                )
                return None if found is None else Certificate(found)
        except (Exception, SystemExit):  # noqa: BLE001
            return None

    def about_nothing(self, name: str) -> None:
        """Try to prove that a statement speaks of nothing; then nothing that it speaks of may be found."""
        if self.of.classes == EVERY or self.of.hostile:
            return
        try:
            with time_limit(PROOF, lambda: "the proof"):
                found = prove_vacuous(
                    self.measure, statement(name), int(self.of.classes), self.domain, str(self.undefined)
                )
        except (Exception, SystemExit):  # noqa: BLE001
            return
        if found is None or not self.verified(found):
            return
        self.tally.counts["vacuous"] += 1
        shown = instance(self.measure, name, int(self.of.classes), self.domain, self.undefined)
        if shown is not None:
            self.find(f"{name} is said to be vacuous", shown)

    why = ""

    def verified(self, data: Any) -> bool:
        """Return whether `gm.verify` accepts plain data; anything but True or a `CertificateError` is a finding."""
        try:
            with time_limit(VERIFY, lambda: "the verification"):
                return gm.verify(data, measure=self.measure) is True
        except gm.CertificateError as error:
            self.why = str(error)[:300]
        except TooSlow:
            self.why = "too slow"
            self.find("a verification that takes too long", json.dumps(data)[:2000])
        except Exception as error:  # noqa: BLE001
            self.why = f"{type(error).__name__}: {error}"
            if not self.of.hostile:
                self.find(f"the check raised {type(error).__name__}: {error}", json.dumps(data)[:2000])
        return False

    def attacked(self, claim: Any, tries: int) -> Any:
        """Return a counterexample of what a certificate claims, or None."""
        sizes = (2, 3, 4, 5) if claim["classes"] == EVERY else (claim["classes"],)
        name, undefined = claim["statement"], claim["undefined"]
        policy = undefined if undefined in ("resolve", "nan") else float(undefined)
        for m in sizes:
            self.tally.counts["attacks"] += tries
            try:
                shown = counterexample(
                    self.measure, name, m, claim["domain"], policy, self.rng, self.of.numbers,
                    tries if m < 4 else tries // 2, hostile=self.of.hostile, constants=claim.get("constants", {}),
                )  # fmt: skip
            except (Exception, SystemExit):  # noqa: BLE001 - a function that fails on some matrix has no value there
                self.tally.counts["attacks that failed"] += 1
                continue
            if shown is not None:
                return m, claim["domain"], undefined, shown
        return None

    def damage(self, data: Any, tries: int) -> None:
        """Damage a certificate; the kernel refuses it, or what it claims now survives the attacks too."""
        changed = damaged(json.loads(json.dumps(data)), self.rng)
        self.tally.counts["damaged"] += 1
        if changed == data or not self.verified(changed):
            return
        self.tally.counts["damaged accepted"] += 1
        claim = {"by": "cases", **changed, "constants": dict(changed.get("constants") or {})}
        wanted = ("statement", "measure", "classes", "domain", "undefined", "constants")
        vacuous = claim["by"] == "vacuous"
        if all(claim[x] == {"constants": {}, **data}[x] for x in wanted) and vacuous == (data.get("by") == "vacuous"):
            return  # the same claim
        shown = "other constants" if claim["constants"] != data.get("constants", {}) else self.attacked(claim, tries)
        if shown is not None:
            self.find("a damaged certificate that is accepted", f"{shown}: {json.dumps(changed)[:3000]}")

    def find(self, what: str, shown: Any) -> None:
        self.tally.findings.append(
            f"{what} ({self.name}): {shown}\nclasses {self.of.classes}, domain {self.domain}, undefined "
            f"{self.undefined}\n{self.of.text}"
        )
