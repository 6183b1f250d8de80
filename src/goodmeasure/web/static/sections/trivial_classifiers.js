// What trivial classifiers would get on the same true classes: constant ones, random ones, the worst, the best.

import { ask, wordsFor } from "../api.js";
import { measureLink, scorecardNames } from "../catalogue.js";
import { element, problem, scrolling, show } from "../dom.js";
import { trueSizes } from "../matrix.js";
import { value as valueOf } from "../measuring.js";
import { table } from "../table.js";
import { decimal, finite } from "../writing.js";

/** Return the card; its values come when they are known. */
export function trivialCard({ matrix, known, settings, stored }) {
  const place = element("div", {}, element("p", { class: "waiting-note" }, "Computing…"));
  classifiers({ matrix, settings, stored }).then(
    (rows) => show(place, valueTable(rows, matrix, known)),
    (error) => show(place, problem(wordsFor(error, "These values could not be computed."))),
  );
  return element(
    "section",
    { class: "card", id: "baselines" },
    element("h2", {}, "What trivial classifiers would get"),
    place,
  );
}

async function classifiers({ matrix, settings, stored }) {
  const names = await scorecardNames(matrix.labels.length);
  if (!settings.static) return withoutRepeats((await ask("baselines", { matrix, measures: names })).rows);
  return stored?.baselines ? withoutRepeats(stored.baselines.rows) : constantRows(matrix, names);
}

function valueTable(rows, matrix, known) {
  const names = Object.keys(rows[0].values);
  const columns = [
    { title: "Measure", head: true, key: (row) => row.measure.title, cell: (row) => measureLink(row.measure) },
    { title: "Your matrix", numeric: true, className: "big", key: (row) => row.own, cell: (row) => decimal(row.own) },
    ...rows.map((row, k) => ({
      title: row.name,
      numeric: true,
      key: (line) => line.values[k],
      cell: (line) => (line.values[k] === undefined ? "–" : decimal(line.values[k])),
    })),
  ];
  const lines = names.map((name) => ({
    measure: known.measure.get(name) ?? { name, title: name },
    own: finite(valueOf(name, matrix.counts)),
    values: rows.map((row) => row.values[name]),
  }));
  return element(
    "div",
    {},
    scrolling(
      "Scores of trivial classifiers",
      table(columns, lines, {
        caption: "Scores of your matrix and of trivial classifiers on the same true classes",
        hiddenCaption: true,
      }),
    ),
    element(
      "ul",
      { class: "hint" },
      ...rows.filter((row) => row.about && !row.about.startsWith("always says")).map((row) => element("li", {}, element("b", {}, row.name), `: ${row.about}`)),
    ),
  );
}

/** For two classes, the acceptor and the rejector are the two constant classifiers. */
function withoutRepeats(rows) {
  return rows.filter((row, k) => !rows.some((other, later) => later > k && other.about === row.about));
}

/** What the page can compute itself: classifiers whose predictions are certain. */
function constantRows({ labels, counts }, names) {
  const sizes = trueSizes(counts);
  const valuesOf = (cell) => {
    const matrix = counts.map((row, i) => row.map((_, j) => cell(i, j)));
    return Object.fromEntries(names.map((name) => [name, finite(valueOf(name, matrix))]));
  };
  return [
    {
      name: "perfect",
      about: "predicts every item correctly",
      values: valuesOf((i, j) => (i === j ? sizes[i] : 0)),
    },
    {
      name: "worst",
      about: "predicts the next class, so every item wrongly",
      values: valuesOf((i, j) => (j === (i + 1) % labels.length ? sizes[i] : 0)),
    },
    ...labels.slice(0, 6).map((label, k) => ({
      name: `always ${label}`,
      about: "",
      values: valuesOf((i, j) => (j === k ? sizes[i] : 0)),
    })),
    { name: "random", about: "a static copy knows its scores for the examples only", values: {} },
  ];
}
