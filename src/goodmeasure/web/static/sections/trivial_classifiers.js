// What trivial classifiers would get on the same true classes: constant ones, random ones, the worst, the best.

import { ask, newest, wordsFor } from "../api.js";
import { measureLink, scorecardNames } from "../catalogue.js";
import { element, problem, scrolling, show, waiting } from "../dom.js";
import { trueSizes } from "../matrix.js";
import { value as valueOf } from "../measuring.js";
import { table } from "../table.js";
import { decimal, finite } from "../writing.js";

const MOST_CONSTANT = 3;

/** Return the card; its values come when they are known. */
export function trivialCard({ matrix, known, settings, stored }) {
  const place = element("div", {}, waiting("Computing…"));
  newest(async (signal) => {
    try {
      show(place, valueTable(await classifiers({ matrix, settings, stored, signal }), matrix, known));
    } catch (error) {
      if (error.name === "AbortError") return;
      show(place, problem(wordsFor(error, "These values could not be computed.")));
    }
  }, 0)();
  return element(
    "section",
    { class: "card", id: "baselines" },
    element("h2", {}, "What trivial classifiers would get"),
    place,
  );
}

async function classifiers({ matrix, settings, stored, signal }) {
  const names = await scorecardNames(matrix.labels.length);
  if (!settings.static) {
    const { rows } = await ask("baselines", { matrix, measures: names }, signal);
    return fewConstant(withoutRepeats(rows), matrix);
  }
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
      matrix.labels.length > MOST_CONSTANT
        ? element("li", {}, `Only the ${MOST_CONSTANT} largest classes have a classifier that always predicts them here.`)
        : null,
    ),
  );
}

/** Of the classifiers that always predict one class, keep those of the largest classes. */
function fewConstant(rows, { counts }) {
  const constant = rows.filter((row) => row.about?.startsWith("always says"));
  if (constant.length <= MOST_CONSTANT) return rows;
  const largest = largestFirst(trueSizes(counts)).slice(0, MOST_CONSTANT).map((k) => constant[k]);
  return rows.filter((row) => !constant.includes(row) || largest.includes(row));
}

/** The numbers of the classes, those with most items first. */
function largestFirst(sizes) {
  return sizes.map((_, k) => k).sort((one, other) => sizes[other] - sizes[one]);
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
    ...largestFirst(sizes).slice(0, MOST_CONSTANT).map((k) => ({
      name: `always ${labels[k]}`,
      about: "",
      values: valuesOf((i, j) => (j === k ? sizes[i] : 0)),
    })),
    { name: "random", about: "a static copy knows its scores for the examples only", values: {} },
  ];
}
