// The answer to a task: the best measure with its reasons, what is given up, or why no measure suits.

import { data } from "../api.js";
import { fullTitle, measureLink } from "../catalogue.js";
import { copyables } from "../copying.js";
import { element } from "../dom.js";
import { listed, proofParts } from "../proofs.js";
import { link } from "../state.js";
import { verdictItem } from "../verdicts.js";

/** Return the cards that show a recommendation for so many classes. */
export async function recommendationCards(answer, classes, known) {
  if (!answer.best) return [noneCard(answer, known)];
  const [best, ...others] = answer.ranked;
  const lacked = await lackedBy(best, classes, known);
  return [
    bestCard(best, lacked, answer, known),
    others.length ? othersCard(others, known) : null,
    element(
      "section",
      { class: "card" },
      element("h2", {}, "Take it with you"),
      ...copyables([
        ["Metric statement", answer.statement],
        ["Measure in Python", answer.measure_python],
        ["This question in Python", answer.python],
        ["This question on the command line", answer.command],
      ]),
    ),
  ];
}

/** The refuted properties of a measure that its reasons do not name already: no measure has them all. */
async function lackedBy(best, classes, known) {
  const fact = known.measure.get(best.measure);
  if (!fact) return [];
  const { verdicts } = await data(fact.file);
  const named = new Set((best.violates ?? []).map((one) => one.property));
  const size = Math.min(classes, Math.max(...verdicts.map((verdict) => verdict.classes)));
  return verdicts.filter(
    (verdict) =>
      verdict.status === "refuted" &&
      verdict.cite === "goesgens2021" &&
      verdict.domain === "all" &&
      verdict.classes === size &&
      !named.has(verdict.property),
  );
}

function bestCard(best, lacked, { remarks, why_not }, known) {
  const title = fullTitle({ ...best, name: best.measure });
  const listed = known.measure.has(best.measure); // a measure made for given costs has no page
  return element(
    "section",
    { class: "card" },
    element("p", { class: "label" }, "Recommended"),
    element("h2", { class: "best-name" }, listed ? measureLink({ name: best.measure, title, short: title }) : title),
    best.code ? element("pre", { class: "code", tabindex: "0" }, best.code) : null,
    ...reasons(best, lacked, known, why_not),
    ...(remarks ?? []).map((remark) => element("p", { class: "hint" }, remark)),
    listed ? element("a", { class: "button", href: link("measures", best.measure) }, "See the measure") : null,
  );
}

function reasons({ because, fits, violates, notes, alike, chance, beside }, lacked, known, why_not = []) {
  const givenUp = [
    ...(violates ?? []).map((one) => violation(one, known)),
    ...lacked.map((verdict) => verdictItem(verdict)),
  ];
  return [
    because || fits?.length
      ? element(
          "div",
          {},
          element("h3", {}, "Why"),
          element("ul", {}, ...[because, ...(fits ?? [])].filter(Boolean).map((text) => element("li", {}, text))),
        )
      : null,
    why_not?.length
      ? element(
          "div",
          {},
          element("h3", {}, "Why not another one"),
          element("ul", {}, ...why_not.map(({ text }) => element("li", {}, text))),
        )
      : null,
    givenUp.length
      ? element("div", {}, element("h3", {}, "What you give up"), element("ul", { class: "verdicts" }, ...givenUp))
      : null,
    chance ? element("div", {}, element("h3", {}, "Random guessing"), element("p", {}, sentenceOf(chance))) : null,
    beside?.length
      ? element(
          "div",
          {},
          element("h3", {}, "Show with it"),
          element(
            "ul",
            {},
            ...beside.map(({ what, why }) => element("li", {}, element("b", {}, what), why ? `: ${why}` : "")),
          ),
        )
      : null,
    alike?.length ? element("p", { class: "hint" }, `Measures that rank alike: ${alike.join(", ")}.`) : null,
    ...(notes ?? []).map((note) => element("p", { class: "hint" }, note)),
  ].filter(Boolean);
}

/** What random guessing gets, as a sentence. */
function sentenceOf(chance) {
  return chance.startsWith("depends") ? `Its score ${chance}.` : `It gets ${chance}.`;
}

function violation({ text, property, witness }, known) {
  const { title = property, sentence } = known.property.get(property) ?? {};
  return verdictItem({ property, title, sentence, status: "refuted", sign: "✗", words: `No. ${text}`.trim(), witness });
}

function noneCard({ impossible, possible, drop, remarks }, known) {
  const titles = (impossible?.properties ?? []).map((name) => known.property.get(name)?.title ?? name);
  return element(
    "section",
    { class: "card" },
    element(
      "div",
      { class: "answer impossible" },
      element(
        "p",
        { class: "verdict-line" },
        impossible ? "Impossible: no measure can have all of this." : "No measure of the catalogue suits this task.",
      ),
      impossible ? element("p", {}, `No measure has ${listed(titles)}, and your answers ask for all of them.`) : null,
      ...(remarks ?? []).map((remark) => element("p", {}, remark)),
      possible ? element("p", {}, possible) : null,
    ),
    drop?.length
      ? element(
          "div",
          {},
          element("h3", {}, "What would help"),
          element("ul", {}, ...drop.map((sentence) => element("li", {}, sentence))),
        )
      : null,
    impossible
      ? element("div", {}, element("h3", {}, "The proof"), ...proofParts(impossible))
      : null,
  );
}

function othersCard(others, known) {
  return element(
    "section",
    { class: "card" },
    element("h2", {}, "Next best"),
    ...others.map((one) =>
      element(
        "details",
        { class: "fold" },
        element(
          "summary",
          {},
          `${fullTitle({ ...one, name: one.measure })}${one.suits ? "" : " (does not meet every requirement)"}`,
        ),
        ...reasons(one, [], known),
        known.measure.has(one.measure)
          ? element("p", {}, measureLink({ ...one, name: one.measure, short: "See the measure" }))
          : null,
      ),
    ),
  );
}
