// What must change for a measure to reach a target: the fewest items to move between two cells.

import { ask, newest, Refusal } from "../api.js";
import { fullTitle, usable } from "../catalogue.js";
import { choice, complain, element, field, problem, show, waiting } from "../dom.js";
import { link, update, value } from "../state.js";
import { decimal } from "../writing.js";
import { fewestItems } from "../targets.js";

const MOST_STEPS = 200;

/** Return how many items one step of the slider moves, where so many can be moved. */
export function stepOfMoves(most) {
  return Math.max(1, Math.ceil(most / MOST_STEPS));
}

/** Return the card; the answer follows what is typed. */
export function reachCard({ matrix, known, settings }) {
  const names = usable(known.measures, matrix.labels.length);
  const place = element("div", { "aria-live": "polite" });
  const look = newest((signal) => answer(signal, { target, place, matrix, known, settings }), 150);
  const which = choice(
    names.map((one) => [one.name, fullTitle(one)]),
    value("reach", "mcc"),
    (reach) => {
      update({ reach });
      look();
    },
    { id: "reach" },
  );
  const target = element("input", {
    id: "target",
    value: value("target", "0.9"),
    inputmode: "decimal",
    size: 6,
    input: (event) => {
      update({ target: event.target.value });
      look();
    },
  });
  look();
  return element(
    "section",
    { class: "card", id: "reaching" },
    element("h2", {}, "What must change to reach a target?"),
    element("div", { class: "bar" }, field("Measure", which), field("Target", target)),
    place,
  );
}

async function answer(signal, { target, place, ...task }) {
  const wanted = Number(value("target", "0.9").replace(",", "."));
  complain(
    target,
    Number.isFinite(wanted) && value("target", "0.9").trim() !== "" ? "" : "The target must be a number.",
  );
  if (!Number.isFinite(wanted)) return show(place);
  const slow = setTimeout(() => show(place, waiting("Searching…")), 300);
  try {
    const found = await search(task, value("reach", "mcc"), wanted, signal);
    return show(place, answerParts(task, found));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return show(place, problem(error.text));
  } finally {
    clearTimeout(slow);
  }
}

async function search({ matrix, settings, known }, measure, target, signal) {
  if (!settings.static) return ask("reach", { matrix, measure, target }, signal);
  return fewestItems(matrix, known.measure.get(measure), target);
}

function answerParts({ known }, { measure, value: now, target, reached, ways, overall, unreachable, note }) {
  const name = known.measure.get(measure)?.short ?? measure;
  const said = reached
    ? `${name} is ${decimal(now)} and has reached ${decimal(target)} already.`
    : ways.length
      ? `${name} is ${decimal(now)}. Any one of these changes is enough for ${decimal(target)}:`
      : `${name} is ${decimal(now)}. No change between two cells reaches ${decimal(target)}.`;
  return element(
    "div",
    {},
    element("p", {}, element("b", {}, said)),
    ways.length
      ? element(
          "ol",
          {},
          ...ways.slice(0, 8).map((way) =>
            element(
              "li",
              {},
              `${way.text} ${name} is then ${decimal(way.value)}. `,
              element(
                "a",
                {
                  href: link("what-if", "", {
                    change: "move",
                    from: way.from.join(","),
                    to: way.to.join(","),
                    at: Math.ceil(way.items / stepOfMoves(way.of)),
                  }),
                },
                "Try it",
              ),
            ),
          ),
        )
      : null,
    unreachable?.length
      ? element(
          "details",
          {},
          element("summary", {}, "Changes that are not enough"),
          element("ul", {}, ...unreachable.map((one) => element("li", {}, one.text))),
        )
      : null,
    overall && !reached ? element("p", {}, overall.text) : null,
    note ? element("p", { class: "hint" }, note) : null,
  );
}
