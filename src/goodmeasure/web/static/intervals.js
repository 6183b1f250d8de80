// Confidence intervals in a static copy, by the methods of the library (evaluation/intervals/): Wilson's interval where
// a measure follows from one proportion of items, and the smoothed interval elsewhere.

import { range, value } from "./measuring.js";

const QUANTILES = { 0.9: 1.6448536269514722, 0.95: 1.959963984540054, 0.99: 2.5758293035489004 }; // of the normal distribution
const STEP = 1e-4; // of a count, to find a slope
const MATTERS = 0.5; // standard errors: a smaller bias hardly affects the coverage
const MOST_CELLS = 20000; // of all measures together: more would hold up the page

/** Return whether the intervals of so many measures on a matrix take little time. */
export function areQuick(measures, classes) {
  return measures * classes ** 2 <= MOST_CELLS;
}

/** Return the ends of the interval of a measure, or null; `proportions` says which measures follow from one. */
export function interval(name, counts, proportions, confidence = 0.95) {
  const z = QUANTILES[confidence];
  const here = value(name, counts);
  if (!Number.isFinite(here) || isRatio(name, counts.length)) return null;
  const known = proportions[name]?.[counts.length === 2 ? "two" : "more"];
  const found = known ? wilson(name, counts, known, z) : smoothed(name, counts, z);
  if (!found || found.some(Number.isNaN)) return null;
  const [least, most] = range(name);
  return [Math.max(Math.min(...found, here), least ?? -Infinity), Math.min(Math.max(...found, here), most ?? Infinity)];
}

/** Whether a measure is a ratio to chance, whose interval is on the scale of logarithms: the library alone has it. */
function isRatio(name, m) {
  const [least, most] = range(name);
  if (least !== 0 || Number.isFinite(most ?? Infinity)) return false;
  const sizes = Array.from({ length: m }, (_, k) => k + 2);
  return Math.abs(value(name, sizes.map((a) => sizes.map((b) => a * b))) - 1) < 1e-9;
}

function wilson(name, counts, { hits, among, ends }, z) {
  let [hit, n] = [0, 0];
  eachCell(counts, (number, i, j) => {
    if (counted(among, i, j)) n += number;
    if (counted(hits, i, j)) hit += number;
  });
  if (n === 0) return null;
  const share = hit / n;
  const middle = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  const low = share === 0 ? 0 : Math.max(0, middle - half);
  const high = share === 1 ? 1 : Math.min(1, middle + half);
  return [low, high].map((end) => valueAt(name, { hits, among, ends }, end));
}

/** Cells are listed for two classes; for more, only the diagonal and the rest are told apart. */
function counted(cells, i, j) {
  return cells.length === 2 ? cells[i][j] : cells[0][i === j ? 0 : 1];
}

/** The value of a measure where its proportion is a share: on a line, or on a matrix that has the share. */
function valueAt(name, { hits, among, ends }, share) {
  if (ends) return ends[0] + (ends[1] - ends[0]) * share;
  const many = (wanted) => hits.flatMap((row, i) => row.filter((hit, j) => among[i][j] && hit === wanted)).length;
  const cells = hits.map((row, i) =>
    row.map((hit, j) => (!among[i][j] ? 1 : hit ? share / many(true) : (1 - share) / many(false))),
  );
  return value(name, cells);
}

function smoothed(name, counts, z) {
  const m = counts.length;
  const n = counts.flat().reduce((x, y) => x + y, 0);
  const number = Math.max(1, Math.round(n));
  const unit = n / number;
  const imagined = (i, j) => (z * z * unit * (i === j ? 1 / m : 1 / (m * (m - 1)))) / 2;
  const filled = counts.map((row, i) => row.map((x, j) => x + imagined(i, j)));
  const at = (i, j, cell) => value(name, withCell(filled, i, j, cell));
  const middle = value(name, filled);
  let [ofImagined, squares, sum, straight] = [0, 0, 0, 0];
  eachCell(counts, (count, i, j) => {
    const step = STEP * filled[i][j];
    const slope = (at(i, j, filled[i][j] + step) - at(i, j, filled[i][j] - step)) / (2 * step);
    ofImagined += imagined(i, j) * unit * slope ** 2;
    if (count === 0) return;
    const items = count / unit;
    const moved = at(i, j, (items <= 1 ? 0 : count - unit) + imagined(i, j)) - middle;
    squares += items * moved ** 2;
    sum += items * moved;
    straight += count * slope;
  });
  const curved = sum + straight;
  const spread = Math.sqrt(ofImagined + Math.max(0, squares - sum ** 2 / number) + 2 * curved ** 2);
  const bias = Math.abs(curved) > MATTERS * spread ? curved : 0;
  return [Math.min(middle, middle - bias) - z * spread, Math.max(middle, middle - bias) + z * spread];
}

function withCell(cells, i, j, number) {
  return cells.map((row, r) => (r === i ? row.map((x, c) => (c === j ? number : x)) : row));
}

function eachCell(counts, call) {
  counts.forEach((row, i) => row.forEach((count, j) => call(count, i, j)));
}
