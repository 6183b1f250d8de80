// Texts to take along: Python lines, command lines, statements.

import { announce, button, element } from "./dom.js";

/** Return texts to copy, given as pairs of a name and a text; those without a text are left out. */
export function copyables(texts) {
  return texts
    .filter(([, text]) => text)
    .map(([name, text]) =>
      element(
        "div",
        { class: "copied" },
        element("span", { class: "label" }, name),
        /statement/i.test(name)
          ? element("p", { class: "prose" }, text)
          : element("pre", { class: "wrapped", tabindex: "0" }, text),
        copyButton(text, name),
      ),
    );
}

/** Return a button that copies a text and says that it did. */
export function copyButton(text, what) {
  const made = button(
    "Copy",
    async () => {
      await copy(text);
      made.textContent = "Copied";
      announce(`Copied ${what}.`);
      setTimeout(() => {
        made.textContent = "Copy";
      }, 1500);
    },
    { class: "small", "aria-label": `Copy ${what}` },
  );
  return made;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission for the clipboard, a selected text can still be copied.
    const area = element("textarea", { value: text, class: "aside" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
