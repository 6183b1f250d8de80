// Two measures side by side, and the matrices on which they disagree most.

import { ask, config, data, newest, Refusal } from "../api.js";
import { catalogue, fullTitle, measureLink } from "../catalogue.js";
import { largeWidth, LineChart, legend } from "../charts.js";
import { choice, complain, element, field, formula, problem, scrolling, show } from "../dom.js";
import { smallMatrix } from "../matrix_editor.js";
import { value as valueOf } from "../measuring.js";
import { navigate, update, value } from "../state.js";
import { sign } from "../verdicts.js";
import { decimal, finite } from "../writing.js";

/** Show two measures. */
export async function openTwo(place) {
  const [known, settings] = await Promise.all([catalogue(), config()]);
  const binary = known.measures.filter((one) => one.classes === null || one.classes === 2);
  const names = [value("first", "mcc"), value("second", "f1")].map((name) => (known.measure.has(name) ? name : "mcc"));
  const pages = await Promise.all(names.map((name) => data(known.measure.get(name).file)));
  const options = binary.map((one) => [one.name, fullTitle(one)]);
  const pick = (side, k) =>
    choice(options, names[k], (name) => navigate("compare-measures", "two", { [side]: name }), { id: side });
  show(
    place,
    element(
      "section",
      { class: "card" },
      element("h2", {}, "Two measures side by side"),
      element(
        "div",
        { class: "bar" },
        field("First measure", pick("first", 0)),
        field("Second measure", pick("second", 1)),
      ),
      element("div", { class: "versus" }, ...pages.map((facts) => factsOf(facts))),
      together(pages),
    ),
    disagreementCard(names, pages, settings),
    propertiesCard(pages),
  );
}

function factsOf(facts) {
  return element(
    "div",
    {},
    element("h3", {}, measureLink({ ...facts, short: fullTitle(facts) })),
    element("p", {}, facts.meaning),
    element(
      "div",
      { class: "formula", tabindex: "0", role: "group", "aria-label": `Formula of ${facts.title}` },
      formula(facts.formula.mathml),
    ),
    element("p", { class: "hint" }, `Range: ${facts.range_text}`),
  );
}

/** Both measures on the same classifiers, which find more and more of 50 positives among 500 items. */
function together(pages) {
  const right = Array.from({ length: 51 }, (_, k) => k);
  const matrixAt = (k) => [
    [450, 0],
    [50 - k, k],
  ];
  const series = pages.map((facts) => ({ values: right.map((k) => finite(valueOf(facts.name, matrixAt(k)))) }));
  const ranges = pages.map((facts) => facts.range ?? [null, null]);
  const range = [0, 1].map((end) =>
    ranges.every((one) => one[end] !== null) ? Math[end ? "max" : "min"](...ranges.map((one) => one[end])) : null,
  );
  const chart = new LineChart({
    xs: right,
    series,
    range,
    width: largeWidth(),
    height: 220,
    xTitle: "true positives found",
    label: `${pages.map((facts) => facts.title).join(" and ")} as a classifier finds more of 50 positives among 500 items`,
  });
  return element(
    "figure",
    {},
    element(
      "figcaption",
      { class: "hint" },
      "A classifier makes no false alarm and finds more and more of the 50 positives among 500 items.",
    ),
    legend(pages.map((facts) => facts.title)),
    chart.root,
  );
}

// ── disagreement ─────────────────────────────────────────────────────────────────────────────────────────────────

function disagreementCard([first, second], pages, settings) {
  const place = element("div", { "aria-live": "polite" });
  const look = newest((signal) => search(signal, { first, second, size, place, pages, settings }), 120);
  const size = element("input", {
    id: "items",
    value: value("items", "10"),
    inputmode: "numeric",
    size: 4,
    input: (event) => {
      update({ items: event.target.value });
      look();
    },
  });
  look();
  return element(
    "section",
    { class: "card", id: "disagreement" },
    element("h2", {}, "Where they disagree most"),
    settings.static ? null : element("div", { class: "bar" }, field("Items in each matrix", size)),
    place,
  );
}

async function search(signal, { first, second, size, place, pages, settings }) {
  if (first === second) return show(place, element("p", {}, "Choose two different measures."));
  const n = Number(size.value);
  const fine = Number.isInteger(n) && n >= 2;
  complain(size, fine ? "" : "A whole number of at least 2.");
  if (!fine) return show(place);
  try {
    const answer = settings.static ? await stored(first, second) : await ask("disagree", { first, second, n }, signal);
    return show(place, ...answerParts(answer, pages));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return show(place, problem(error.text));
  }
}

async function stored(first, second) {
  const all = await data("disagreements.json");
  const found = all[[first, second].sort().join("|")];
  if (!found) throw new Refusal({ message: "A static copy has the disagreements of the scorecard's measures only." });
  return found;
}

function answerParts(answer, pages) {
  return [
    element("p", {}, answer.said),
    element("div", { class: "pairs" }, ...answer.pairs.map((pair) => pairOf(pair, pages))),
  ];
}

function pairOf(pair, pages) {
  const side = ({ matrix, values }, other) =>
    element(
      "div",
      { class: "exhibit" },
      smallMatrix(matrix),
      ...pages.map((facts) => {
        const better = prefers(facts, values[facts.name], other.values[facts.name]);
        return element(
          "span",
          { class: better ? "star" : "" },
          `${facts.short ?? facts.title} ${decimal(values[facts.name])}`,
          better ? element("span", { class: "aside" }, " (preferred)") : null,
        );
      }),
    );
  return element(
    "div",
    { class: "pair" },
    element("p", { class: "prefers" }, pair.text),
    element(
      "div",
      { class: "exhibits" },
      side(pair.first, pair.second),
      element("span", { class: "then" }, "or"),
      side(pair.second, pair.first),
    ),
  );
}

function prefers(facts, own, other) {
  return facts.orientation === "lower" ? own < other : own > other;
}

// ── properties ───────────────────────────────────────────────────────────────────────────────────────────────────

function propertiesCard(pages) {
  const of = (facts) =>
    new Map(
      facts.verdicts.filter((one) => one.classes === 2 && one.domain === "all").map((one) => [one.property, one]),
    );
  const [one, other] = pages.map(of);
  const names = [...new Set([...one.keys(), ...other.keys()])];
  const lines = names.map((name) => ({
    name,
    title: (one.get(name) ?? other.get(name)).title,
    verdicts: [one.get(name), other.get(name)],
  }));
  const differ = ({ verdicts: [x, y] }) => x?.status !== y?.status;
  const table = (some, label) =>
    scrolling(
      label,
      element(
        "table",
        { class: "data" },
        element("caption", { class: "aside" }, label),
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            element("th", { scope: "col" }, "Property"),
            ...pages.map((facts) => element("th", { scope: "col" }, facts.short ?? facts.title)),
          ),
        ),
        element(
          "tbody",
          {},
          ...some.map(({ title, verdicts }) =>
            element(
              "tr",
              {},
              element("th", { scope: "row" }, title),
              ...verdicts.map((verdict) => element("td", {}, verdict ? sign(verdict) : "–")),
            ),
          ),
        ),
      ),
    );
  const [different, same] = [lines.filter(differ), lines.filter((line) => !differ(line))];
  return element(
    "section",
    { class: "card" },
    element("h2", {}, "Properties for two classes"),
    different.length
      ? table(different, "Properties in which they differ")
      : element("p", {}, "No property tells them apart."),
    element(
      "details",
      { class: "fold" },
      element("summary", {}, `${same.length} properties on which they agree`),
      table(same, "Properties on which they agree"),
    ),
  );
}
