// The options of a form, drawn from what the server says about each: its name, kind, default and help.

import { choice, element, field } from "../dom.js";

/** Return a form of options; `changed` is called with the values that differ from the defaults. */
export function optionsForm(title, options, given, changed) {
  const values = { ...given };
  const set = (option, text) => {
    if (text === "" || text === String(option.default)) delete values[option.name];
    else values[option.name] = text;
    changed(values);
  };
  return element(
    "details",
    { open: Object.keys(given).length > 0 },
    element("summary", {}, title),
    ...options.map((option) =>
      field(words(option.name), control(option, values[option.name] ?? option.default ?? "", set), { hint: option.help }),
    ),
  );
}

function words(name) {
  return name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");
}

function control(option, value, set) {
  const id = `option-${option.name}`;
  if (option.choices.length) return choice(option.choices, value, (text) => set(option, text), { id });
  if (option.kind === "bool")
    return choice([["true", "yes"], ["false", "no"]], value, (text) => set(option, text), { id });
  const inputmode = { int: "numeric", float: "decimal" }[option.kind] ?? "text";
  return element("input", { id, type: "text", inputmode, value, change: (event) => set(option, event.target.value.trim()) });
}
