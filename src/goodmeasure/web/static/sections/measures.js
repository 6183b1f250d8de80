// Measures: a page for each, and a page for a formula of one's own.

import { data } from "../api.js";
import { catalogue, fullTitle, paperName, startingMatrix } from "../catalogue.js";
import { largeWidth, LineChart, legend } from "../charts.js";
import { copyables } from "../copying.js";
import { choice, complain, element, field, formula, show } from "../dom.js";
import { value as valueOf } from "../measuring.js";
import { link, update, value } from "../state.js";
import { whereList } from "../symbols.js";
import { VerdictList } from "../verdicts.js";
import { count, decimal, finite } from "../writing.js";
import { OwnFormula } from "./own_formula.js";

export const OWN = "own formula";
const DOMAINS = [
  ["all", "all matrices"],
  ["regular", "matrices with every class in both labelings"],
];

/** Show the section. */
export async function open(root, { item }) {
  const [known, { matrix }] = await Promise.all([catalogue(), startingMatrix()]);
  const page = element("div", { class: "stack" });
  const name = item || "mcc";
  show(
    root,
    element("h1", {}, "Measures"),
    element("div", { class: "columns with-list" }, listCard(known, name), page),
  );
  if (name === OWN) return new OwnFormula(page, matrix).begin();
  const fact = known.measure.get(name) ?? known.measures.find((one) => one.aliases?.includes(name));
  if (!fact) return show(page, unknown(name, known));
  root.querySelector("h1").dataset.title = fact.title;
  const facts = await data(fact.file);
  root.addEventListener("shown", () =>
    root.querySelector(".verdict details[open]")?.scrollIntoView({ block: "center" }),
  );
  return show(page, ...measurePage(facts, known, matrix));
}

function unknown(name, known) {
  const close = known.measures.filter((one) => one.name.includes(name.toLowerCase())).slice(0, 5);
  return element(
    "section",
    { class: "card" },
    element("h2", { "data-focus": "" }, "There is no such measure"),
    element(
      "p",
      {},
      `No measure is called “${name}”. `,
      close.length ? "Did you mean one of these?" : "Choose one from the list.",
    ),
    element(
      "ul",
      {},
      ...close.map((one) => element("li", {}, element("a", { href: link("measures", one.name) }, one.title))),
    ),
  );
}

// ── the list ─────────────────────────────────────────────────────────────────────────────────────────────────────

function listCard(known, chosen) {
  const list = element("nav", { class: "measure-list", "aria-label": "All measures", id: "measure-list" });
  const said = element("p", { class: "aside", role: "status" });
  const search = element("input", {
    type: "search",
    id: "search",
    value: value("search"),
    placeholder: "f1, kappa, recall…",
    input: (event) => {
      update({ search: event.target.value });
      draw();
    },
  });
  const draw = () => {
    const found = known.measures.filter((one) => matches(one, search.value));
    said.textContent = `${found.length} measures`;
    show(
      list,
      ...groups(found, known.families).map(([title, members]) => [
        element("h3", {}, title),
        element("ul", {}, ...members.map((one) => listItem(one, chosen))),
      ]),
    );
    if (!found.length) show(list, element("p", { class: "hint" }, "No measure has such a name."));
  };
  draw();
  requestAnimationFrame(() => centre(list, list.querySelector("[aria-current]")));
  return element(
    "section",
    { class: "card measure-card", "aria-label": "Choose a measure" },
    element("h2", { class: "aside" }, "Choose a measure"),
    element(
      "p",
      {},
      element(
        "a",
        { class: "button", href: link("measures", OWN), "aria-current": chosen === OWN ? "page" : null },
        "Write your own formula",
      ),
    ),
    field("Find a measure", search),
    said,
    list,
  );
}

/** Scroll a list, and not the page, to one of its items. */
function centre(list, item) {
  if (item) list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function listItem(measure, chosen) {
  return element(
    "li",
    {},
    element(
      "a",
      { href: link("measures", measure.name), "aria-current": measure.name === chosen ? "page" : null },
      fullTitle(measure),
    ),
  );
}

function matches(measure, text) {
  const wanted = text.trim().toLowerCase();
  return [measure.name, measure.title, measure.short ?? "", ...(measure.aliases ?? [])].some((name) =>
    name.toLowerCase().includes(wanted),
  );
}

function groups(measures, families) {
  const others = measures.filter((one) => !one.known);
  const titled = families.map((family) => [family.title, others.filter((one) => one.family === family.name)]);
  const rest = others.filter((one) => !families.some((family) => family.name === one.family));
  const known = measures.filter((one) => one.known);
  return [["Well known", known], ...titled, ["Others", rest]].filter(([, members]) => members.length);
}

// ── the page of a measure ────────────────────────────────────────────────────────────────────────────────────────

function measurePage(facts, known, matrix) {
  return [
    element(
      "section",
      { class: "card" },
      element("h2", { class: "best-name", "data-focus": "" }, fullTitle(facts)),
      element("p", {}, facts.meaning),
      element(
        "div",
        { class: "formula", tabindex: "0", role: "group", "aria-label": "Formula" },
        formula(facts.formula.mathml),
      ),
      facts.where?.length ? whereList(facts.where) : null,
      factList(facts, matrix),
      zeroDivisions(facts.zero_division ?? []),
      element(
        "div",
        { class: "bar" },
        element(
          "a",
          { class: "button", href: link("compare-measures", "two", { first: facts.name }) },
          "Compare it with another measure",
        ),
      ),
    ),
    propertiesCard(facts),
    facts.classes === null || facts.classes === 2 ? curvesCard(facts, known) : null,
    facts.papers?.length ? papersCard(facts.papers) : null,
    element(
      "section",
      { class: "card" },
      element("h2", {}, "Use it"),
      ...copyables([
        ["Python", facts.python],
        ["Command line", facts.command],
      ]),
    ),
  ].filter(Boolean);
}

function factList(facts, matrix) {
  const fits = facts.classes === null || facts.classes === matrix.labels.length;
  const own = fits ? decimal(finite(valueOf(facts.name, matrix.counts))) : "needs two classes";
  const lines = [
    ["Name to type", element("code", {}, facts.name)],
    ["Range", facts.range_text],
    ["Classes", facts.classes === null ? "any number" : String(facts.classes)],
    ["On your matrix", own],
    ["Also called", facts.aliases?.join(", ")],
    ["Source", facts.citation?.text],
  ];
  return element(
    "dl",
    { class: "facts" },
    ...lines.filter(([, text]) => text).flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]),
  );
}

function zeroDivisions(rules) {
  return element(
    "div",
    {},
    element("h3", {}, "Zero divisions"),
    rules.length
      ? element(
          "ul",
          {},
          ...rules.map(({ when, then }) =>
            element("li", {}, when.replace(/\.$/, ""), then ? [": ", element("b", {}, then)] : "."),
          ),
        )
      : element("p", {}, "Its formula has a value on every matrix."),
  );
}

function propertiesCard(facts) {
  const list = new VerdictList(`Properties of ${facts.title}`);
  const sizes = [...new Set(facts.verdicts.map((verdict) => verdict.classes))].sort();
  const known = DOMAINS.filter(([domain]) => facts.verdicts.some((verdict) => verdict.domain === domain));
  const filters = { classes: value("classes", String(sizes[0] ?? 2)), domain: value("domain", "all") };
  const draw = () =>
    list.show(
      facts.verdicts.filter(
        (verdict) => String(verdict.classes) === filters.classes && verdict.domain === filters.domain,
      ),
      value("property"),
    );
  const set = (changes) => {
    Object.assign(filters, changes);
    update(changes);
    draw();
  };
  draw();
  return element(
    "section",
    { class: "card", id: "properties" },
    element("h2", {}, "Properties"),
    element(
      "div",
      { class: "bar" },
      sizes.length > 1
        ? field(
            "Classes",
            choice(
              sizes.map((size) => [size, `${size} classes`]),
              filters.classes,
              (classes) => set({ classes }),
              { id: "classes" },
            ),
          )
        : null,
      known.length > 1
        ? field(
            "Domain",
            choice(known, filters.domain, (domain) => set({ domain }), { id: "domain" }),
          )
        : null,
    ),
    element(
      "p",
      { class: "hint" },
      "✓ is proved for every number of items; ✗ has a counterexample, the number being the fewest items of one; ? means that none was found.",
    ),
    list.root,
  );
}

function papersCard(papers) {
  return element(
    "section",
    { class: "card" },
    element("h2", {}, "What the papers say"),
    element(
      "dl",
      { class: "facts" },
      ...papers.flatMap(({ cite, where, text, erratum }) => [
        element("dt", {}, [paperName(cite), where].filter(Boolean).join(", ")),
        element("dd", {}, text, erratum ? element("span", { class: "reason" }, `But ${erratum}.`) : null),
      ]),
    ),
  );
}

// ── curves ───────────────────────────────────────────────────────────────────────────────────────────────────────

const MARGINS = [
  ["positives", "Positive items", "90"],
  ["negatives", "Negative items", "90"],
  ["predicted", "Predicted positive", "60"],
];

function curvesCard(facts, known) {
  const place = element("div");
  const others = known.measures.filter((one) => one.classes === null || one.classes === 2);
  const fields = MARGINS.map(([name, label, otherwise]) => [
    name,
    element("input", {
      id: `margin-${name}`,
      value: value(name, otherwise),
      inputmode: "numeric",
      size: 6,
      input: (event) => {
        update({ [name]: event.target.value });
        draw();
      },
    }),
    label,
  ]);
  const beside = choice(
    [["", "no other measure"], ...others.map((one) => [one.name, fullTitle(one)])],
    value("beside"),
    (name) => {
      update({ beside: name });
      draw();
    },
    { id: "beside" },
  );
  const draw = () => {
    const margins = readMargins(fields);
    if (margins) show(place, ...curve([facts, known.measure.get(value("beside"))].filter(Boolean), margins));
  };
  const card = element(
    "section",
    { class: "card", id: "curves" },
    element("h2", {}, "Its curve when the margins are fixed"),
    element(
      "p",
      {},
      "The sizes of the true and the predicted classes stay fixed. From left to right, more of the predicted positives are right.",
    ),
    element(
      "div",
      { class: "bar" },
      ...fields.map(([, input, label]) => field(label, input)),
      field("Compare with", beside),
    ),
    place,
  );
  queueMicrotask(draw);
  return card;
}

function readMargins(fields) {
  const margins = {};
  for (const [name, input] of fields) {
    const number = Number(input.value);
    const fine = input.value.trim() !== "" && Number.isInteger(number) && number >= 1 && number <= 1e6;
    complain(input, fine ? "" : "A whole number from 1 to 1,000,000.");
    if (fine) margins[name] = number;
  }
  const [, predicted] = fields[2];
  if (margins.predicted > margins.positives + margins.negatives) {
    complain(predicted, "More than there are items.");
    return null;
  }
  return Object.keys(margins).length === 3 ? margins : null;
}

function curve(measures, { positives, negatives, predicted }) {
  const [least, most] = [Math.max(0, predicted - negatives), Math.min(positives, predicted)];
  const step = Math.max(1, Math.ceil((most - least) / 200));
  const hits = Array.from({ length: Math.floor((most - least) / step) + 1 }, (_, k) => least + k * step);
  const matrixAt = (tp) => [
    [negatives - (predicted - tp), predicted - tp],
    [positives - tp, tp],
  ];
  const series = measures.map((one) => ({ values: hits.map((tp) => finite(valueOf(one.name, matrixAt(tp)))) }));
  const chance = (positives * predicted) / (positives + negatives);
  const ranges = measures.map((one) => one.range ?? [null, null]);
  const range = [0, 1].map((end) =>
    ranges.every((one) => one[end] !== null) ? Math[end ? "max" : "min"](...ranges.map((one) => one[end])) : null,
  );
  const chart = new LineChart({
    xs: hits,
    series,
    range,
    width: largeWidth(),
    height: 250,
    xTitle: "true positives",
    label: `${measures.map((one) => one.title).join(" and ")} from ${least} to ${most} true positives`,
  });
  const nearest = hits.reduce((best, tp, k) => (Math.abs(tp - chance) < Math.abs(hits[best] - chance) ? k : best), 0);
  chart.mark(nearest);
  const said = measures.map(
    (one, k) =>
      `${one.short ?? one.title} runs from ${decimal(series[k].values[0])} to ${decimal(series[k].values.at(-1))}` +
      ` and is ${decimal(series[k].values[nearest])} there`,
  );
  return [
    measures.length > 1 ? legend(measures.map((one) => one.title)) : null,
    chart.root,
    element(
      "p",
      { class: "hint" },
      `The marker is at ${count(hits[nearest])} true positives, about as many as random guessing gets. ${said.join("; ")}.`,
    ),
  ].filter(Boolean);
}
