// What the page knows about measures and examples before anybody asks.

import { config, data, givenFile } from "./api.js";
import { choice, element, field } from "./dom.js";
import { matrixOfState } from "./matrix.js";
import { opened, readFile } from "./reading.js";
import { link, value } from "./state.js";

/** Return the catalogue: measures and properties, each also by name. */
export async function catalogue() {
  const { measures, families, properties } = await data("measures.json");
  return { measures, families, properties, measure: byName(measures), property: byName(properties) };
}

function byName(things) {
  return new Map(things.map((thing) => [thing.name, thing]));
}

/** Return the names of the measures on the scorecard for so many classes. */
export async function scorecardNames(classes) {
  const { scorecard } = await config();
  return classes === 2 ? scorecard["2"] : scorecard.more;
}

/** Return the measures that can be computed for so many classes. */
export function usable(measures, classes) {
  return measures.filter((measure) => measure.classes === null || measure.classes === classes);
}

const PAPERS = {
  goesgens2021: "Gösgens et al. (2021)",
  sebastiani2015: "Sebastiani (2015)",
  opitz2024: "Opitz (2024)",
  "rh-dif2norm": "RH and Dif2Norm",
};

/** Return how people call a paper. */
export function paperName(cite) {
  return PAPERS[cite] ?? cite;
}

/** Return the title of a measure, with its parameters where it has some. */
export function fullTitle({ name, title }) {
  const parameters = /\(.*[='].*\)$/.exec(name)?.[0];
  const written = parameters?.replace("-inf", "−∞").replace("inf", "∞");
  return written && !title.includes("=") ? `${title} ${written}` : title;
}

/** Return a link to a measure's page that shows its short name. */
export function measureLink(measure, attributes = {}) {
  return element(
    "a",
    { href: link("measures", measure.name), title: measure.title, ...attributes },
    measure.short ?? measure.title,
  );
}

/** Return the matrix to work on: that of the address, or the first example; with the example it comes from, if any. */
export async function startingMatrix() {
  const examples = await data("examples.json");
  const matrix = matrixOfState();
  if (matrix) return { matrix, example: examples.find((one) => one.id === value("source")) ?? null };
  const example = examples.find((one) => one.id === value("source")) ?? examples[0];
  return { matrix: example.matrix, example };
}

/**
 * Return the first matrix in the file that the page began with, which is read if need be; null without such a file, where
 * other counts were chosen, or where "Your numbers" must ask what is in it.
 */
export async function givenMatrix() {
  const { file } = await config();
  if (!file || matrixOfState() || value("source")) return null;
  if (!opened.answer) await readFile(givenFile(file.name)).catch(() => null); // "Your numbers" says what is wrong
  const { answer } = opened;
  if (!answer || answer.problem) return null;
  return answer.kind === "matrix" ? answer.matrix : Object.values(matricesOf(answer))[0];
}

/** Return a choice of the positive class where a file has two classes, or null; the last one is positive by default. */
export function positiveChoice({ matrices, positive }, id, changed) {
  const labels = Object.values(matrices)[0]?.labels ?? [];
  return labels.length === 2 ? field("Positive class", choice(labels, positive ?? labels[1], changed, { id })) : null;
}

/** The matrices in a file: those of its predictions, or else those of its scores at a threshold of about one half. */
export function matricesOf({ matrices, sweeps }) {
  if (Object.keys(matrices).length) return matrices;
  return Object.fromEntries(Object.entries(sweeps).map(([name, sweep]) => [name, matrixAt(sweep, middleOf(sweep))]));
}

/** Return the counts at every threshold that belong to the matrix, or null. */
export function sweepOf(example) {
  if (value("source") === "file" && opened.answer) {
    const sweeps = Object.values(opened.answer.sweeps ?? {});
    return sweeps[0] ?? null;
  }
  return example?.sweep ?? null;
}

/** Return the matrix at one of the thresholds. */
export function matrixAt({ counts, labels }, k) {
  const [tn, fp, fn, tp] = counts[k];
  return {
    labels,
    counts: [
      [tn, fp],
      [fn, tp],
    ],
  };
}

/** Return which of the thresholds is the nearest to one half. */
export function middleOf({ thresholds }) {
  const distance = (k) => (thresholds[k] === null ? Infinity : Math.abs(thresholds[k] - 0.5));
  return thresholds.reduce((best, _, k) => (distance(k) < distance(best) ? k : best), 0);
}
