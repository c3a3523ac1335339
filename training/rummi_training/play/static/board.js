// The table and the rack as elements, and what is done to them: dragging with mouse or
// finger, picking up and putting down by click or by keyboard.

import { announce, element, settle } from "./dom.js";
import { tileElement, words } from "./tile.js";

const DRAG_FROM = 6; // pixels before a press becomes a drag

export class Board {
  // wanted: move(ids, target), part(id), name(id), mayTake(id), picked()
  constructor(wanted) {
    this.wanted = wanted;
    this.held = [];
    this.drag = null;
    this.focusId = null;
    this.table = element("section", { class: "felt", "aria-label": "Table" });
    this.rack = element("section", { class: "rack", "aria-label": "Your rack" });
    for (const zone of [this.table, this.rack]) {
      zone.addEventListener("pointerdown", (event) => this.press(event));
      zone.addEventListener("click", (event) => this.click(event));
      zone.addEventListener("dblclick", (event) => this.doubleClick(event));
      zone.addEventListener("keydown", (event) => this.key(event));
      zone.addEventListener("focusin", (event) => {
        if (event.target.dataset.key) this.focusId = event.target.dataset.key;
      });
    }
  }

  // shown: tiles, arrangement, verdicts (by meld, or null), stands, fresh (ids just
  // drawn), seat, names, and perhaps empty (what an empty table says) and plain (true
  // where all tiles are the person's own)
  show(shown) {
    this.shown = shown;
    this.kept = this.made ?? new Map();
    this.made = new Map();
    const { arrangement, verdicts, fresh } = shown;
    this.held = this.held.filter((id) => this.wanted.mayTake(id));
    const board = [this.table, this.rack];
    const hadFocus = board.some((zone) => zone.contains(document.activeElement));
    const melds = arrangement.melds.map((meld, i) => this.meld(meld, i, verdicts?.[i]));
    settle(this.table, [
      ...melds,
      this.slot({ zone: "new", at: melds.length }, "a new meld", "new meld"),
      melds.length
        ? null
        : this.keep("empty", "", () =>
            element("p", { class: "empty" }, shown.empty ?? "The table is empty."),
          ),
    ]);
    settle(this.rack, [
      ...arrangement.rack.map((id) => this.tile(id, [], fresh.has(id))),
      this.slot({ zone: "rack", at: arrangement.rack.length }, "the end of the rack"),
    ]);
    document.body.classList.toggle("holding", this.held.length > 0);
    const keys = this.keyed();
    const focus =
      keys.find((each) => each.dataset.key === this.focusId) ??
      keys.find((each) => each.dataset.id && this.rack.contains(each)) ??
      keys[0];
    for (const each of keys) each.tabIndex = each === focus ? 0 : -1;
    if (focus && hadFocus && document.activeElement !== focus)
      focus.focus({ preventScroll: true });
  }

  // Returns what was made for a key before, if it would be made the same way.
  keep(key, signature, make) {
    const old = this.kept.get(key);
    const found = old?.signature === signature ? old : { signature, element: make() };
    this.made.set(key, found);
    return found.element;
  }

  meld(ids, i, verdict) {
    const bad = verdict && !verdict.legal;
    const box = this.keep(`meld-${i}`, "", () =>
      element("div", { role: "group", "data-meld": i }),
    );
    box.className = `meld ${bad ? "bad" : ""} ${verdict?.legal ? "good" : ""}`;
    box.title = bad ? verdict.sentence : "";
    box.setAttribute(
      "aria-label",
      `Meld ${i + 1}${bad ? `, not legal: ${verdict.sentence}` : ""}`,
    );
    settle(box, [
      ...ids.map((id, at) =>
        this.tile(id, verdict?.legal ? verdict.stands[at] : this.shown.stands.get(id)),
      ),
      this.slot({ zone: "meld", meld: i, at: ids.length }, `the end of meld ${i + 1}`),
    ]);
    return box;
  }

  tile(id, stands, fresh = false) {
    const { tiles, arrangement, seat, names } = this.shown;
    const token = tiles.token(id);
    const own = !tiles.fromTable(id);
    const by = own ? null : (tiles.marks.get(id) ?? null);
    const others = by !== null && by !== seat;
    const yours = own && !this.shown.plain && !arrangement.rack.includes(id);
    const held = this.held.includes(id);
    const marks = [
      yours ? "yours" : "",
      others ? `by by-${by}` : "",
      held ? "held" : "",
      fresh ? "fresh" : "",
    ];
    const who = yours
      ? ", from your rack"
      : others
        ? `, just played by ${names[by]}`
        : "";
    const attributes = {
      stands: stands ?? [],
      class: marks.join(" "),
      "data-id": id,
      "data-key": id,
      "data-tile": token,
      "aria-pressed": String(held),
      "aria-label": words(token) + (fresh ? ", just drawn" : who),
    };
    return this.keep(id, JSON.stringify(attributes), () =>
      tileElement(token, { ...attributes, tabindex: -1 }),
    );
  }

  slot(target, where, text = "") {
    const key = target.zone === "meld" ? `slot-${target.meld}` : `slot-${target.zone}`;
    const made = this.keep(key, "", () =>
      element(
        "button",
        {
          type: "button",
          class: `slot slot-${target.zone}`,
          tabindex: -1,
          "data-key": key,
          "aria-label": `Put down at ${where}`,
        },
        text,
      ),
    );
    made.dataset.target = JSON.stringify(target);
    return made;
  }

  keyed() {
    const holding = this.held.length > 0;
    return [...this.table.children, ...this.rack.children]
      .flatMap((each) =>
        each.classList.contains("meld") ? [...each.children] : [each],
      )
      .filter(
        (each) => each.dataset.key && (holding || !each.classList.contains("slot")),
      );
  }

  letGo() {
    this.held = [];
    if (this.shown) this.show(this.shown);
    this.wanted.picked();
  }

  put(target) {
    const ids = this.held;
    this.held = [];
    document.body.classList.remove("holding");
    this.wanted.move(ids, target);
    this.wanted.picked();
  }

  toggle(id) {
    if (!this.wanted.mayTake(id)) return;
    const token = this.shown.tiles.token(id);
    if (this.held.includes(id)) {
      this.held = this.held.filter((each) => each !== id);
      announce(`${words(token)} let go`);
    } else {
      this.held = [...this.held, id];
      announce(`${words(token)} picked up`);
    }
    this.focusId = id;
    this.show(this.shown);
    this.wanted.picked();
  }

  // ------------------------------------------------------------------ clicks

  click(event) {
    if (this.suppressClick) {
      this.suppressClick = false;
      return;
    }
    // Enter and Space click buttons too; `key` has dealt with them.
    if (event.detail === 0) return;
    const slot = event.target.closest(".slot");
    const tile = event.target.closest(".tile");
    if (slot && this.held.length) this.put(JSON.parse(slot.dataset.target));
    else if (tile) this.toggle(tile.dataset.id);
    else if (this.held.length) {
      const target = this.target(event.clientX, event.clientY);
      if (target) this.put(target);
    }
  }

  doubleClick(event) {
    const tile = event.target.closest(".felt .tile");
    if (!tile) return;
    this.held = [];
    if (tile.dataset.id.startsWith("J")) this.wanted.name(tile.dataset.id);
    else this.wanted.part(tile.dataset.id);
  }

  // ------------------------------------------------------------------ drags

  press(event) {
    const tile = event.target.closest(".tile");
    this.suppressClick = false;
    if (!tile || event.button !== 0 || !this.wanted.mayTake(tile.dataset.id)) return;
    const id = tile.dataset.id;
    const ids = this.held.includes(id) ? [...this.held] : [id];
    const from = [event.clientX, event.clientY];
    const box = tile.getBoundingClientRect();
    const grip = [from[0] - box.left, from[1] - box.top];
    const move = (moved) => {
      if (moved.pointerId !== event.pointerId) return;
      const far = Math.hypot(moved.clientX - from[0], moved.clientY - from[1]);
      if (!this.drag && far < DRAG_FROM) return;
      this.drag ??= this.lift(ids, grip);
      this.follow(moved.clientX, moved.clientY);
    };
    const stop = (ended) => {
      if (ended.pointerId !== event.pointerId) return;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", stop);
      removeEventListener("pointercancel", stop);
      if (!this.drag) return;
      // A click follows where press and release meet in one element.
      this.suppressClick = true;
      setTimeout(() => (this.suppressClick = false));
      const target =
        ended.type === "pointerup" ? this.target(ended.clientX, ended.clientY) : null;
      this.lay(target);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", stop);
    addEventListener("pointercancel", stop);
  }

  lift(ids, grip) {
    const ghost = element("div", { class: "ghost", "aria-hidden": "true" });
    const origins = ids.map((id) =>
      document.querySelector(`[data-id="${CSS.escape(id)}"]`),
    );
    for (const origin of origins) {
      const copy = origin.cloneNode(true);
      copy.removeAttribute("data-id");
      copy.removeAttribute("data-key");
      ghost.append(copy);
      origin.classList.add("lifted");
    }
    document.body.append(ghost);
    document.body.classList.add("dragging");
    return { ids, grip, ghost, origins, marker: element("span", { class: "marker" }) };
  }

  follow(x, y) {
    const { ghost, grip, marker } = this.drag;
    ghost.style.transform = `translate(${x - grip[0]}px, ${y - grip[1]}px)`;
    this.scrollNear(y);
    const target = this.target(x, y);
    const parent = this.parentOf(target);
    marker.remove();
    this.table.classList.toggle("over", target?.zone === "new");
    for (const each of document.querySelectorAll("[data-drop]"))
      each.classList.toggle("over", each.dataset.drop === target?.zone);
    if (!parent) return;
    const tiles = [...parent.querySelectorAll(":scope > .tile")];
    parent.insertBefore(
      marker,
      tiles[target.at] ?? parent.querySelector(":scope > .slot"),
    );
  }

  // Lets a long table move along while a tile is held near its edge.
  scrollNear(y) {
    const box = this.table.getBoundingClientRect();
    if (y < box.top + 24) this.table.scrollTop -= 8;
    else if (y > box.bottom - 24 && y < box.bottom) this.table.scrollTop += 8;
  }

  lay(target) {
    const { ids, ghost, marker, origins } = this.drag;
    this.drag = null;
    for (const each of origins) each.classList.remove("lifted");
    ghost.remove();
    marker.remove();
    document.body.classList.remove("dragging");
    for (const each of document.querySelectorAll(".over"))
      each.classList.remove("over");
    this.held = [];
    if (target) this.wanted.move(ids, target);
    else this.show(this.shown);
  }

  parentOf(target) {
    if (target?.zone === "meld")
      return this.table.querySelector(`[data-meld="${target.meld}"]`);
    return target?.zone === "rack" ? this.rack : null;
  }

  // What a point of the screen means as a place for tiles.
  target(x, y) {
    const under = document.elementFromPoint(x, y);
    const drop = under?.closest("[data-drop]");
    if (drop) return { zone: drop.dataset.drop };
    const meld = under?.closest(".felt .meld");
    if (meld)
      return {
        zone: "meld",
        meld: Number(meld.dataset.meld),
        at: before(meld, ".tile", x, y),
      };
    if (under?.closest(".felt"))
      return { zone: "new", at: before(this.table, ".meld", x, y) };
    if (under?.closest(".rack-stand"))
      return { zone: "rack", at: before(this.rack, ".tile", x, y) };
    return null;
  }

  // ------------------------------------------------------------------ keyboard

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const here = event.target.closest("[data-key]");
    if (!here) return;
    const id = here.dataset.id;
    const steps = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    if (steps[event.key]) this.step(here, ...steps[event.key]);
    else if (event.key === "Home" || event.key === "End")
      this.edge(here, event.key === "Home");
    else if (event.key === "Enter") this.enter(here, id);
    else if (event.key === " " && id) this.toggle(id);
    else if (event.key === "Escape" && this.held.length) this.letGo();
    else if (event.key.toLowerCase() === "s" && id) this.wanted.part(id);
    else if (event.key.toLowerCase() === "j" && id?.startsWith("J"))
      this.wanted.name(id);
    else return;
    event.preventDefault();
  }

  // Picks up if nothing is held; otherwise puts down here.
  enter(here, id) {
    if (!this.held.length) {
      if (id) this.toggle(id);
      return;
    }
    if (!id) return this.put(JSON.parse(here.dataset.target));
    if (this.held.includes(id)) return this.toggle(id);
    const meld = here.closest(".meld");
    const tiles = [...here.parentElement.querySelectorAll(":scope > .tile")];
    const at = tiles.indexOf(here);
    return this.put(
      meld
        ? { zone: "meld", meld: Number(meld.dataset.meld), at }
        : { zone: "rack", at },
    );
  }

  step(here, across, down) {
    const all = this.keyed();
    this.focus(
      here,
      across ? all[all.indexOf(here) + across] : nearest(here, all, down),
    );
  }

  // The first or the last tile of the meld or the rack.
  edge(here, first) {
    const row = this.keyed().filter(
      (each) => each.parentElement === here.parentElement,
    );
    this.focus(here, row.at(first ? 0 : -1));
  }

  focus(here, next) {
    if (!next) return;
    here.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  }
}

// How many of the elements lie before a point, row by row.
function before(parent, selector, x, y) {
  const all = [...parent.querySelectorAll(`:scope > ${selector}`)];
  const at = all.findIndex((each) => {
    const box = each.getBoundingClientRect();
    return y < box.top || (y <= box.bottom && x < (box.left + box.right) / 2);
  });
  return at < 0 ? all.length : at;
}

function nearest(here, all, down) {
  const middle = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const [x, y] = middle(here.getBoundingClientRect());
  let best = null;
  let least = Infinity;
  for (const each of all) {
    const [ex, ey] = middle(each.getBoundingClientRect());
    const far = (ey - y) * down;
    if (far < 10) continue;
    const cost = far * 3 + Math.abs(ex - x);
    if (cost < least) [best, least] = [each, cost];
  }
  return best;
}
