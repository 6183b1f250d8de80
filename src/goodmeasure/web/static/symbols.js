// What the symbols of a formula mean.

import { element, mathText } from "./dom.js";

/** Return the list of the symbols. */
export function whereList(where) {
  return element(
    "ul",
    { class: "symbols" },
    ...where.map(({ mathml, text }) => element("li", {}, mathml ? mathText(mathml) : text)),
  );
}
