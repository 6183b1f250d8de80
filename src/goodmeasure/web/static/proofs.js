// Why no measure has certain properties together: the certificate as a proof that people can follow.

import { element } from "./dom.js";

/** Return the parts of a proof; `set` has the proof for a few items and, where there is one, for every number of them. */
export function proofParts(set) {
  return [
    element(
      "p",
      {},
      `Suppose that a measure M had these properties on the matrices of up to ${set.n} items. Then each row below would hold, by the property at its end.`,
    ),
    element(
      "p",
      { class: "hint" },
      "M[a b|c d] is the value on the matrix whose rows are (a, b) and (c, d). c_max is the best value, and c_base the score of random predictions, if they occur. ",
      "Multiply each row by the number before it and add them all up: every value cancels, and 0 > 0 is left. So there is no such measure.",
    ),
    element("pre", { tabindex: "0" }, set.proof),
    ...(set.proof_every_n
      ? [
          element("p", {}, `The same argument for every ${set.every_n}:`),
          element("pre", { tabindex: "0" }, set.proof_every_n),
        ]
      : []),
  ];
}

/** Return names as a list in words. */
export function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
