// The values of measures in the page, by the formulas that are generated from their declarations in Python: measures.js.

import { definitions } from "./measures.js";

const ROUNDING = 1e-12; // a value this little beyond its range got there by rounding

/** Return the value of a measure on a matrix of counts, with the same rules for 0/0 as in Python; NaN: undefined. */
export function value(name, counts) {
  const found = definitions[name];
  const of = found && (found.of[counts.length] ?? found.of.any);
  if (!of || counts.length < 2) return NaN;
  const result = of(counts, NaN);
  const [low, high] = found.range;
  if (high !== null && result > high && result - high < ROUNDING) return high;
  return low !== null && result < low && low - result < ROUNDING ? low : result;
}

/** Return the least and the greatest value of a measure, null where there is none. */
export function range(name) {
  return definitions[name].range;
}

/** Return the values of a measure on several matrices. */
export function values(name, matrices) {
  return matrices.map((counts) => value(name, counts));
}

/** Return whether the value of a measure can be computed here. */
export function isKnown(name) {
  return name in definitions;
}

/** Return the matrix to expect where class k has this share of the items and every class keeps its recalls. */
export function atPrevalence(counts, k, share) {
  const sizes = counts.map((row) => row.reduce((x, y) => x + y, 0));
  const n = sizes.reduce((x, y) => x + y, 0);
  const rest = n - sizes[k];
  return counts.map((row, i) => {
    const wanted = n * (i === k ? share : rest > 0 ? ((1 - share) * sizes[i]) / rest : (1 - share) / (counts.length - 1));
    return row.map((x) => (sizes[i] > 0 ? (x * wanted) / sizes[i] : 0));
  });
}

/** Return the matrix after so many items were moved from one cell to another. */
export function moved(counts, [fromRow, fromColumn], [toRow, toColumn], items) {
  const after = counts.map((row) => [...row]);
  after[fromRow][fromColumn] -= items;
  after[toRow][toColumn] += items;
  return after;
}
