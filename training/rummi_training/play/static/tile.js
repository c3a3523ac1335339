// A tile as an element.

import { element } from "./dom.js";

const WORDS = { K: "black", R: "red", B: "blue", O: "orange" };

export function words(token) {
  if (token === "J") return "joker";
  if (token.startsWith("J=")) return `joker as ${words(token.slice(2))}`;
  return `${WORDS[token[0]]} ${token.slice(1)}`;
}

const SVG = "http://www.w3.org/2000/svg";

function face() {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  for (const [name, attributes] of [
    ["circle", { cx: 12, cy: 12, r: 9, class: "line" }],
    ["circle", { cx: 8.8, cy: 10, r: 1.5, class: "dot" }],
    ["circle", { cx: 15.2, cy: 10, r: 1.5, class: "dot" }],
    ["path", { d: "M7.2 14.2q4.8 5 9.6 0", class: "line" }],
  ]) {
    const part = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes))
      part.setAttribute(key, value);
    svg.append(part);
  }
  return svg;
}

// stands: what a joker may stand for, shown in its corner.
export function tileElement(token, { stands = [], ...attributes } = {}) {
  const kind = token.split("=")[0];
  const joker = kind === "J";
  const shown = stands.length ? stands : token.startsWith("J=") ? [token.slice(2)] : [];
  const made = element(
    attributes.role === "img" ? "span" : "button",
    {
      type: attributes.role === "img" ? undefined : "button",
      ...attributes,
      class: `tile ${joker ? "joker" : `color-${kind[0]}`} ${attributes.class ?? ""}`,
    },
    joker ? face() : element("span", { class: "number" }, kind.slice(1)),
  );
  if (joker && shown.length) {
    const badge = element("span", { class: "stands" });
    for (const each of shown)
      badge.append(element("i", { class: `color-${each[0]}` }, each.slice(1)));
    made.append(badge);
  } else {
    made.append(element("span", { class: "suit" }));
  }
  return made;
}
