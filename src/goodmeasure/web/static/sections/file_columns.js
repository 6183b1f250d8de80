// Which columns of a file hold the true and the predicted labels, where they cannot be told by their names.

import { button, choice, element, field, problem } from "../dom.js";

/** Return a choice among the sheets or tables of a file; null where it has only one. */
export function tableChoice({ tables = [], table }, id, changed) {
  return tables.length > 1 ? field("Table", choice(tables, table, changed, { id })) : null;
}

/** Return a form that asks for the columns of a file; `read` is called with them. */
export function columnForm(file, answer, read) {
  const { columns, true: truth, likely, problem: asked, notes = [] } = answer;
  const place = element("p", { class: "problem", role: "alert", hidden: true });
  const which = choice([["", "choose a column…"], ...columns], truth ?? "", () => {}, { id: "asked-true" });
  const boxes = columns.map((column, k) => {
    const checked = likely.includes(column);
    const box = element("input", { type: "checkbox", id: `asked-${k}`, value: column, checked });
    return { box, root: element("div", { class: "option" }, box, element("label", { for: box.id }, column)) };
  });
  const submit = () => {
    const predicted = boxes.filter(({ box }) => box.checked && box.value !== which.value).map(({ box }) => box.value);
    const missing = !which.value
      ? "Choose the column of the true labels."
      : predicted.length
        ? ""
        : "Choose at least one column of predicted labels.";
    place.hidden = !missing;
    place.textContent = missing;
    if (!missing) read({ true: which.value, pred: predicted });
  };
  return element(
    "div",
    { class: "column-form" },
    element("p", {}, element("b", {}, file.name)),
    problem(asked),
    ...notes.map((note) => element("p", { class: "hint" }, note)),
    tableChoice(answer, "asked-table", (table) => read({ table })),
    field("True labels", which),
    element(
      "fieldset",
      { class: "systems" },
      element("legend", {}, "Predicted labels"),
      ...boxes.map(({ root }) => root),
    ),
    place,
    button("Read these columns", submit, { class: "primary" }),
  );
}
