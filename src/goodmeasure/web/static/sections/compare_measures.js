// Compare measures: the atlas of all verdicts, two measures side by side, and which properties go together.

import { element, show } from "../dom.js";
import { link } from "../state.js";
import { openAtlas } from "./atlas.js";
import { openPossible } from "./possible.js";
import { openTwo } from "./two_measures.js";

const VIEWS = [
  ["atlas", "Atlas of properties", openAtlas],
  ["two", "Two measures", openTwo],
  ["possible", "What is possible", openPossible],
];

/** Show the section. */
export async function open(root, { item }) {
  const [chosen, , openView] = VIEWS.find(([name]) => name === item) ?? VIEWS[0];
  const place = element("div", { class: "stack" });
  await openView(place);
  show(
    root,
    element("h1", { "data-title": VIEWS.find(([name]) => name === chosen)[1] }, "Compare measures"),
    element(
      "nav",
      { "aria-label": "Views" },
      element(
        "ul",
        { class: "tabs" },
        ...VIEWS.map(([name, title]) =>
          element(
            "li",
            {},
            element(
              "a",
              {
                href: link("compare-measures", name),
                "aria-current": name === chosen ? "page" : null,
                id: `view-${name}`,
              },
              title,
            ),
          ),
        ),
      ),
    ),
    place,
  );
}
