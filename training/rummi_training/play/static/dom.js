// Elements in one expression, dialogs, and what is said aloud.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== ""));
  return made;
}

export const button = (label, does, more = {}) =>
  element("button", { type: "button", onclick: does, ...more }, label);

// Lets an element have these children. Those that are there already are not touched, so
// that a press which began on one of them can end there.
export function settle(parent, children) {
  const wanted = children.filter((child) => child);
  wanted.forEach((child, at) => {
    const there = parent.children[at];
    if (there !== child) parent.insertBefore(child, there ?? null);
  });
  while (parent.children.length > wanted.length) parent.lastElementChild.remove();
}

export function announce(sentence) {
  document.getElementById("announcer").textContent = sentence;
}

let dismiss = null;

// Shows a dialog; each answer is [label, value, class]. Resolves to the value chosen,
// or to null after Escape or when another dialog takes its place.
export function askPerson(title, content, answers) {
  const dialog = document.getElementById("dialog");
  dismiss?.();
  return new Promise((resolve) => {
    const close = (value) => {
      dismiss = null;
      dialog.close();
      resolve(value);
    };
    dismiss = () => close(null);
    dialog.oncancel = (event) => {
      event.preventDefault();
      close(null);
    };
    dialog.setAttribute("aria-labelledby", "dialog-title");
    dialog.replaceChildren(
      element("h2", { id: "dialog-title" }, title),
      element("div", { class: "dialog-content" }, content),
      element(
        "div",
        { class: "dialog-answers" },
        answers.map(([label, value, kind]) =>
          button(label, () => close(value), { class: kind ?? "" }),
        ),
      ),
    );
    dialog.showModal();
    // The first button has the focus, and is at the end.
    dialog.scrollTop = 0;
  });
}

export const dismissDialog = () => dismiss?.();

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

export const plural = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
