// A confusion matrix as data: { labels, counts }, rows are true classes, columns are predicted classes.

import { state, update } from "./state.js";
import { count, counted, typedNumber } from "./writing.js";

export const LARGEST_EDITED = 40; // classes; beyond that, a table of fields is of no use to anybody

/** Return the matrix that the address holds, or null. */
export function matrixOfState() {
  const rows = (state().values.get("counts")?.[0] ?? "").split(";").map((row) => row.split(",").map(Number));
  const labels = state().values.get("class") ?? rows.map((_, i) => `class ${i + 1}`);
  const fits = rows.length > 1 && rows.every((row) => row.length === rows.length && row.every(isCount));
  return fits && labels.length === rows.length ? { labels, counts: rows } : null;
}

/** Put a matrix into the address, with the name of the example that it comes from, if any. */
export function keepMatrix({ labels, counts }, source = null) {
  update({ counts: countsText(counts), class: labels, source });
}

/** Return the values of the address that hold a matrix. */
export function matrixValues({ labels, counts }) {
  return { counts: countsText(counts), class: labels };
}

function countsText(counts) {
  return counts.map((row) => row.join(",")).join(";");
}

function isCount(number) {
  return Number.isFinite(number) && number >= 0;
}

/** Return whether two matrices are the same. */
export function sameMatrix(one, other) {
  return one !== null && other !== null && JSON.stringify(one) === JSON.stringify(other);
}

/** Return the number of items. */
export function total(counts) {
  return counts.flat().reduce((sum, number) => sum + number, 0);
}

/** Return the sizes of the true classes. */
export function trueSizes(counts) {
  return counts.map((row) => row.reduce((sum, number) => sum + number, 0));
}

/** Return the sizes of the predicted classes. */
export function predictedSizes(counts) {
  return counts.map((_, j) => counts.reduce((sum, row) => sum + row[j], 0));
}

/** Return the matrix with one more class, empty. */
export function withClass({ labels, counts }) {
  const name = freshName(labels);
  return {
    labels: [...labels, name],
    counts: [...counts.map((row) => [...row, 0]), [...labels.map(() => 0), 0]],
  };
}

/** Return the matrix without a class and its items. */
export function withoutClass({ labels, counts }, index) {
  const keep = (_, i) => i !== index;
  return { labels: labels.filter(keep), counts: counts.filter(keep).map((row) => row.filter(keep)) };
}

/** Return the matrix with another name for a class. */
export function renamed({ labels, counts }, index, name) {
  return { labels: labels.map((label, i) => (i === index ? name : label)), counts };
}

/** Return the matrix with another count in a cell. */
export function withCount({ labels, counts }, i, j, number) {
  return { labels, counts: counts.map((row, r) => (r === i ? row.map((cell, c) => (c === j ? number : cell)) : row)) };
}

function freshName(labels) {
  let number = labels.length + 1;
  while (labels.includes(`class ${number}`)) number += 1;
  return `class ${number}`;
}

/** Return the matrix in a pasted text (cells between tabs, commas, semicolons, bars or spaces), or a message.
 *
 * Names of classes may stand in a first row, in a first column or in both; a row or column of totals is left out.
 */
export function pastedMatrix(text, mostClasses) {
  const rows = cellsOf(text);
  if (rows.length === 0) return { problem: "There is nothing to read in the pasted text." };
  const named = isHead(rows) ? rows[0] : null;
  const body = named ? rows.slice(1) : rows;
  const sided =
    body.length > 0 &&
    (body.every((row) => isName(row[0])) || (named !== null && body.every((row) => row.length === body.length + 1)));
  const counts = body.map((row) => (sided ? row.slice(1) : row).map(typedNumber));
  if (counts.length > mostClasses + 1)
    return {
      problem: `The pasted text has ${count(counts.length)} rows; at most ${count(mostClasses)} classes can be shown here.`,
    };
  return checked(
    counts,
    body.map((row) => row[0]),
    named,
    sided,
  );
}

function isName(cell) {
  return Number.isNaN(typedNumber(cell));
}

/** Whether the first row holds names: one of them is no number, or the corner above the names of the rows is empty. */
function isHead([first, ...others]) {
  return first.slice(1).some(isName) || first[0] === "" || (isName(first[0]) && others.some((row) => !isName(row[0])));
}

function checked(counts, firstColumn, firstRow, sided) {
  const width = counts[0]?.length ?? 0;
  const square = withoutTotals(counts, firstColumn, sided);
  if (square.length < 2) return { problem: "A confusion matrix needs at least two rows and two columns of counts." };
  const uneven = square.findIndex((row) => row.length !== square[0].length);
  if (uneven >= 0) {
    return {
      problem: `Row ${uneven + 1} has ${counted(square[uneven].length, "cell")}, and row 1 has ${square[0].length}.`,
    };
  }
  if (square.length !== square[0].length) {
    return { problem: `A confusion matrix is square; this one has ${square.length} rows and ${width} columns.` };
  }
  for (const [i, row] of square.entries()) {
    const j = row.findIndex((number) => !isCount(number));
    if (j >= 0) return { problem: `The cell in row ${i + 1}, column ${j + 1} is not a count of 0 or more.` };
  }
  return { matrix: { labels: namesOf(square.length, firstColumn, firstRow, sided), counts: square } };
}

function withoutTotals(counts, firstColumn, sided) {
  if (!sided || !/^(all|total|sum|Σ)$/i.test(firstColumn.at(-1)?.trim() ?? "")) return counts;
  return counts.slice(0, -1).map((row) => row.slice(0, counts.length - 1));
}

function namesOf(size, firstColumn, firstRow, sided) {
  const across = (firstRow ?? []).slice(firstRow && firstRow.length > size ? 1 : 0, size + 1);
  const names = sided ? firstColumn.slice(0, size) : across.slice(0, size);
  const trimmed = names.map((name) => name.trim());
  const usable = trimmed.length === size && new Set(trimmed).size === size && !trimmed.includes("");
  return usable ? trimmed : Array.from({ length: size }, (_, i) => `class ${i + 1}`);
}

function cellsOf(text) {
  const lines = /\[/.test(text) ? listLines(text) : text.split(/\r?\n/).filter((line) => line.trim());
  const mark = ["\t", ";", ",", "|"].find((sign) => lines.some((line) => line.includes(sign)));
  const split = (line) => (mark ? bare(line, mark).split(mark) : line.trim().split(/\s+/));
  return lines
    .filter((line) => !/^[\s|:+-]*---[\s|:+-]*$/.test(line))
    .map((line) => split(line).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1")));
}

/** A line without the marks at its ends that tables in Markdown have. */
function bare(line, mark) {
  return mark === "|" ? line.trim().replace(/^\||\|$/g, "") : line;
}

/** The rows of nested lists, as Python and NumPy print them. */
function listLines(text) {
  return [...text.matchAll(/\[([^[\]]*)\]/g)].map(([, inside]) =>
    inside.replace(/\s+/g, " ").replace(/,\s*$/, "").trim(),
  );
}
