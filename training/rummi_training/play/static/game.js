// A game: what the server tells is shown, what the person does is sent there.

import { Seat, keepSeat, knownSeats } from "./api.js";
import { Tiles, parted, placed, same, sorted } from "./arrangement.js";
import { Board } from "./board.js";
import { announce, askPerson, element, plural } from "./dom.js";
import { hintChoices, logList, playerCards, scoreTable, sentenceOf, winnersText } from "./parts.js";
import { words } from "./tile.js";

const WAITING = 250; // milliseconds between looks while others play
const RESTING = 1500; // and while it is this person's turn, for other tabs of the game

export function showGame(page, game, token) {
  const view = new GameView(page, new Seat(game, token));
  view.look();
  return () => view.close();
}

class GameView {
  constructor(page, seat) {
    this.page = page;
    this.seat = seat;
    this.state = null;
    this.closed = false;
    this.message = null;
    this.sending = null;
    this.board = new Board({
      move: (ids, target) => this.move(ids, target),
      part: (id) => this.change(parted(this.arrangement, id)),
      name: (id) => this.nameJoker(id),
      mayTake: (id) => this.mine || (this.arrangement?.rack.includes(id) ?? false),
    });
    this.onkey = (event) => this.shortcut(event);
    addEventListener("keydown", this.onkey);
    this.page.replaceChildren(element("main", { class: "loading" }, "Loading the game \u2026"));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.ticking);
    removeEventListener("keydown", this.onkey);
  }

  get mine() {
    return this.state && this.state.phase === "play" && this.state.to_move === this.state.seat;
  }

  // ------------------------------------------------------------------ looking

  async look() {
    clearTimeout(this.timer);
    let waits = RESTING;
    try {
      if (!this.board.drag && !this.sending) {
        const told = await this.seat.look(this.state?.version);
        if (this.closed) return;
        if (this.offline) this.say("");
        this.offline = false;
        // What was sent meanwhile is newer than this answer.
        if (told && !this.sending && !this.board.drag) this.take(told);
      }
      if (this.state?.phase === "over") return;
      if (this.state && !this.mine) waits = WAITING;
    } catch (error) {
      if (this.closed) return;
      if (error.status) return this.fail(error);
      this.offline = true;
      this.say(error.message, "bad");
    }
    this.timer = setTimeout(() => this.look(), waits);
  }

  fail(error) {
    this.page.replaceChildren(
      element("main", { class: "loading" }, element("p", { class: "error" }, error.message), element("a", { href: "#" }, "Back to the start")),
    );
  }

  // Takes over what the server tells.
  take(told) {
    const earlier = this.state;
    const newTurn = !earlier || earlier.turn !== told.turn;
    if (newTurn) this.message = null;
    const order = earlier && !told.draft ? this.arrangement.rack.map((id) => this.tiles.kind(id)) : null;
    this.state = told;
    this.tiles = new Tiles(told.table, told.rack);
    this.names = told.players.map((player) => (player.seat === told.seat ? "you" : player.name.replaceAll("_", " ")));
    this.stands = new Map();
    told.table.forEach((meld, i) =>
      meld.stands.forEach((stands, at) => this.stands.set(this.tiles.start.melds[i][at], stands)),
    );
    this.arrangement = this.tiles.start;
    this.judged = null;
    if (order) this.arrangement = { ...this.arrangement, rack: inOrder(this.tiles.start.rack, order, this.tiles) };
    if (told.draft) {
      this.arrangement = this.tiles.arrangement(told.draft.melds.map((meld) => meld.given), told.draft.rack);
      this.judge(told.draft);
    }
    if (newTurn) {
      this.past = [];
      this.future = [];
      this.recall();
      this.tellTurns(earlier);
    }
    this.setClock(told.clock);
    this.render();
    if (earlier) this.tellEnds(earlier);
  }

  tellTurns(earlier) {
    if (!earlier) return;
    const turns = this.state.turn - earlier.turn;
    if (turns > 0) announce(this.state.log.slice(-turns).map((done) => sentenceOf(done, this.names)).join(" "));
  }

  // Shows the score sheet when a round has ended meanwhile.
  tellEnds(earlier) {
    if (this.state.rows.length <= earlier.rows.length) return;
    this.showScores(this.state.phase === "over" ? winnersText(this.state, this.names) : `Round ${this.state.rows.length} is over`);
  }

  // ------------------------------------------------------------------ the turn

  move(ids, target) {
    if (target.zone !== "rack" && !this.mine) return this.render();
    if (target.zone === "rack" && ids.some((id) => this.tiles.fromTable(id) && !this.arrangement.rack.includes(id))) {
      this.say("Tiles of the table stay on the table.", "bad");
      return this.render();
    }
    this.change(placed(this.arrangement, ids, target));
  }

  // Keeps a new arrangement: shown at once, sent, and undone by the earlier one.
  change(arrangement) {
    if (same(arrangement, this.arrangement)) return this.render();
    this.past.push(this.snapshot());
    this.future = [];
    this.arrange(arrangement);
  }

  arrange(arrangement) {
    this.arrangement = arrangement;
    this.judged = null;
    this.message = null;
    this.remember();
    this.render();
    if (this.mine) this.send();
  }

  snapshot() {
    return { arrangement: this.arrangement, named: [...this.tiles.named] };
  }

  step(from, to) {
    if (!from.length) return;
    to.push(this.snapshot());
    const { arrangement, named } = from.pop();
    this.tiles.named = new Map(named);
    this.arrange(arrangement);
  }

  undo() {
    this.step(this.past, this.future);
  }

  redo() {
    this.step(this.future, this.past);
  }

  reset() {
    this.change({ ...this.tiles.start, rack: this.startRack() });
  }

  // The rack with all of its tiles, in the order that it has now.
  startRack() {
    const all = new Set(this.tiles.start.rack);
    const kept = this.arrangement.rack.filter((id) => all.has(id));
    return [...kept, ...this.tiles.start.rack.filter((id) => !kept.includes(id))];
  }

  // Steps survive a reload of the tab; ids are the same then.
  get memory() {
    return `rummi-steps-${this.seat.game}-${this.state.seat}-${this.state.turn}`;
  }

  remember() {
    try {
      for (const key of Object.keys(sessionStorage))
        if (key.startsWith(`rummi-steps-${this.seat.game}-${this.state.seat}-`) && key !== this.memory) sessionStorage.removeItem(key);
      sessionStorage.setItem(this.memory, JSON.stringify([this.past, this.future]));
    } catch {
      // Without storage only the steps are lost.
    }
  }

  recall() {
    try {
      [this.past, this.future] = JSON.parse(sessionStorage.getItem(this.memory)) ?? [[], []];
    } catch {
      [this.past, this.future] = [[], []];
    }
  }

  get laid() {
    const { melds, rack } = this.arrangement;
    return {
      turn: this.state.turn,
      melds: melds.map((meld) => meld.map((id) => this.tiles.token(id))),
      rack: rack.map((id) => this.tiles.kind(id)),
    };
  }

  // Sends how the tiles lie; while an answer is awaited only the last change is kept.
  send() {
    if (this.sending) {
      this.again = true;
      return this.sending;
    }
    const sent = this.arrangement;
    const turn = this.state.turn;
    const started = performance.now();
    this.again = false;
    this.busy(true);
    this.sending = this.seat
      .lay(this.laid)
      .then((answer) => {
        if (this.closed || turn !== this.state.turn) return;
        this.state.version = answer.version;
        this.setClock(answer.clock);
        if (this.arrangement === sent) {
          this.judge(answer.draft);
          this.render();
          performance.measure("round trip", { start: started });
        }
      })
      .catch((error) => {
        this.say(error.message, "bad");
        this.again = false;
        if (error.status === 409) this.state.version = -1;
      })
      .finally(() => {
        this.sending = null;
        if (this.again) this.send();
        else this.busy(false);
        if (!this.again && this.state.version === -1) this.look();
      });
    return this.sending;
  }

  busy(flag) {
    this.part("game")?.setAttribute("aria-busy", String(flag));
  }

  // Takes what the rules say; legal melds are shown in their order.
  judge(draft) {
    this.judged = draft;
    const melds = this.arrangement.melds.map((meld, i) => {
      const verdict = draft.melds[i];
      if (!verdict?.legal) return meld;
      const left = [...meld];
      return verdict.tiles.map((token) => {
        const at = left.findIndex((id) => this.tiles.token(id) === token);
        return left.splice(at < 0 ? left.findIndex((id) => this.tiles.kind(id) === token.split("=")[0]) : at, 1)[0];
      });
    });
    this.arrangement = { ...this.arrangement, melds };
  }

  // Two jokers with one tile are a group, unless one is named as a neighbor of the tile:
  // goes from name to name. Everywhere else the place of a joker says what it is.
  nameJoker(id) {
    const meld = this.arrangement.melds.find((each) => each.includes(id));
    if (!meld || !this.mine) return;
    const naturals = meld.filter((each) => this.tiles.kind(each) !== "J");
    if (naturals.length !== 1 || meld.length !== 3) {
      this.say("A joker stands for the tile of its place, in a group for any color that is missing.");
      return;
    }
    const kind = this.tiles.kind(naturals[0]);
    const near = [1, -1].map((step) => Number(kind.slice(1)) + step).filter((number) => number >= 1 && number <= 13);
    const choices = [undefined, ...near.map((number) => kind[0] + number)];
    const next = choices[(choices.indexOf(this.tiles.named.get(id)) + 1) % choices.length];
    this.past.push(this.snapshot());
    this.future = [];
    for (const each of meld) this.tiles.named.delete(each);
    if (next) this.tiles.named.set(id, next);
    announce(next ? `the joker stands for ${words(next)}` : "the jokers make a group");
    this.arrange({ ...this.arrangement });
  }

  get played() {
    const rack = new Set(this.arrangement.rack);
    return this.tiles.start.rack.filter((id) => !rack.has(id));
  }

  async endTurn(acceptPenalty = false) {
    if (!this.mine || this.ending) return;
    this.ending = true;
    try {
      await this.sending;
      if (!this.played.length) this.take(await this.seat.draw(this.state.turn));
      else this.take(await this.seat.end({ ...this.laid, accept_penalty: acceptPenalty }));
    } catch (error) {
      await this.refused(error);
    } finally {
      this.ending = false;
      this.look();
    }
  }

  async refused(error) {
    if (error.status !== 422 || !error.told.reason || error.told.reason === "must_play") {
      this.say(error.message, "bad");
      return;
    }
    if (error.told.penalty === null) {
      this.reset();
      this.say(`Refused: ${error.message}. The table is as it was; Undo brings your tiles back.`, "bad");
      return;
    }
    const answer = await askPerson(
      "This table is not legal",
      element("p", {}, `${capital(error.message)}.`),
      [
        ["Keep arranging", "keep", "primary"],
        ["Take it back", "back"],
        [`End the turn, draw ${plural(error.told.penalty, "tile")}`, "pay", "danger"],
      ],
    );
    if (answer === "back") {
      this.reset();
      this.say(`Taken back: ${error.message}. Undo brings your tiles back.`, "bad");
    } else if (answer === "pay") {
      this.ending = false;
      await this.endTurn(true);
    } else this.say(error.message, "bad");
  }

  async redeal(demand) {
    try {
      this.take(await this.seat.redeal(this.state.turn, demand));
    } catch (error) {
      this.say(error.message, "bad");
    }
    this.look();
  }

  async hint() {
    const by = this.page.querySelector("[name=hint-by]").value;
    this.say("Thinking \u2026");
    try {
      const hint = await this.seat.hint(this.state.turn, by);
      this.say(hint.sentence, "hint");
      if (hint.melds) this.message.melds = hint.melds.map((meld) => meld.tiles);
      this.renderStatus();
    } catch (error) {
      this.say(error.message, "bad");
    }
  }

  showHint(melds) {
    this.change(this.tiles.arrangement(melds, this.startRack().map((id) => this.tiles.kind(id))));
  }

  // ------------------------------------------------------------------ the clock

  setClock(clock) {
    clearInterval(this.ticking);
    this.ends = clock && this.state.phase !== "over" ? performance.now() + clock.left * 1000 : null;
    if (this.ends === null) return;
    this.ticking = setInterval(() => this.tick(), 250);
  }

  tick() {
    const shown = this.page.querySelector(".clock");
    const left = Math.max(this.ends - performance.now(), 0);
    if (shown) {
      shown.textContent = `${Math.ceil(left / 1000)} s`;
      shown.classList.toggle("late", left < 10000);
    }
    if (left <= 0 && !this.ending) {
      clearInterval(this.ticking);
      // A moment later, so that the server's clock has run out as well.
      setTimeout(() => {
        this.board.held = [];
        this.look();
      }, 100);
    }
  }

  // ------------------------------------------------------------------ showing

  say(text, kind = "") {
    this.message = text ? { text, kind } : null;
    if (text) announce(text);
    if (this.state) this.renderStatus();
  }

  shortcut(event) {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (typing || !this.state || document.getElementById("dialog").open) return;
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (control && key === "z") event.shiftKey ? this.redo() : this.undo();
    else if (control && key === "y") this.redo();
    else if (!control && key === "e" && this.mine) this.endTurn();
    else if (!control && key === "h" && this.mine) this.hint();
    else return;
    event.preventDefault();
  }

  render() {
    if (!this.page.querySelector(".game")) this.build();
    const { state } = this;
    document.title = this.mine ? "Your turn \u2013 Rummikub" : "Rummikub";
    const last = state.players[state.seat].last;
    const drawn = new Set();
    for (const kind of last?.drawn_tiles ?? []) {
      const id = this.tiles.start.rack.findLast((each) => this.tiles.kind(each) === kind && !drawn.has(each));
      if (id && this.arrangement.rack.includes(id)) drawn.add(id);
    }
    this.part("game").dataset.turn = state.turn;
    this.board.show({
      tiles: this.tiles,
      arrangement: this.arrangement,
      verdicts: this.judged?.melds,
      stands: this.stands,
      fresh: drawn,
      seat: state.seat,
      names: this.names,
    });
    this.part("players").replaceChildren(...playerCards(state, this.names));
    this.part("facts").replaceChildren(
      element("span", {}, `Round ${state.round} of ${state.settings.rounds}`),
      element("span", { class: "pool" }, `${plural(state.pool, "tile")} in the pool`),
      state.turns_left !== null ? element("span", {}, `${plural(state.turns_left, "turn")} left`) : "",
      this.ends ? element("span", { class: "clock", role: "timer" }) : "",
    );
    if (this.ends) this.tick();
    this.part("log").replaceChildren(logList(state, this.names));
    this.renderControls();
    this.renderStatus();
    keepLabel(this.seat, state);
  }

  part(name) {
    return this.page.querySelector(`.${name}`);
  }

  build() {
    const button = (name, label, act, title) =>
      element("button", { type: "button", class: name, onclick: act, title }, label);
    const sort = (by) => () => this.change(sorted(this.arrangement, this.tiles, by));
    this.page.replaceChildren(
      element(
        "main",
        { class: "game", "aria-busy": "false" },
        element(
          "header",
          { class: "bar" },
          element("a", { href: "#", class: "brand" }, "Rummikub"),
          element("div", { class: "facts" }),
          button("scores", "Scores", () => this.showScores("Scores")),
          button("help", "Rules", () => this.showRules()),
        ),
        element("section", { class: "players", "aria-label": "Players" }),
        this.board.table,
        element("aside", { class: "log", "aria-label": "What was played" }),
        element("div", { class: "status" }),
        element("div", { class: "rack-stand" }, this.board.rack),
        element(
          "div",
          { class: "controls" },
          element("div", { class: "group" },
            button("undo", "Undo", () => this.undo(), "Ctrl+Z"),
            button("redo", "Redo", () => this.redo(), "Ctrl+Y"),
            button("reset", "Reset", () => this.reset(), "All tiles back to where the turn began"),
          ),
          element("div", { class: "group" },
            button("sort-color", "By color", sort("color")),
            button("sort-number", "By number", sort("number")),
          ),
          element("div", { class: "group" },
            hintChoices(),
            button("ask-hint", "Hint", () => this.hint(), "H"),
          ),
          element("div", { class: "group ends" }),
        ),
      ),
    );
  }

  renderControls() {
    const { state } = this;
    const set = (name, disabled) => (this.part(name).disabled = disabled);
    set("undo", !this.past.length);
    set("redo", !this.future.length);
    set("reset", !this.mine || same(this.arrangement.melds, this.tiles.start.melds));
    set("ask-hint", !this.mine);
    const ends = this.part("ends");
    if (state.phase === "redeal" && state.to_move === state.seat) {
      ends.replaceChildren(
        element("button", { type: "button", class: "primary", onclick: () => this.redeal(false) }, "Keep the rack"),
        element("button", { type: "button", onclick: () => this.redeal(true) }, "Demand a new deal"),
      );
      return;
    }
    if (state.phase === "over") {
      ends.replaceChildren(element("button", { type: "button", class: "primary", onclick: () => this.showScores(winnersText(state, this.names)) }, "Result"));
      return;
    }
    const label = this.played.length ? "End turn" : state.pool ? "Draw a tile" : "Pass";
    const old = ends.querySelector(".end");
    if (old) {
      old.textContent = label;
      old.disabled = !this.mine;
    } else ends.replaceChildren(element("button", { type: "button", class: "end primary", disabled: !this.mine, onclick: () => this.endTurn(), title: "E" }, label));
  }

  renderStatus() {
    const status = this.part("status");
    if (!status) return;
    const { text, kind } = this.message ?? this.stateText();
    const melds = this.message?.melds;
    status.className = `status ${kind}`;
    status.replaceChildren(
      element("span", {}, text),
      melds ? element("button", { type: "button", class: "small show-hint", onclick: () => this.showHint(melds) }, "Show it on the table") : "",
    );
  }

  stateText() {
    const { state, judged } = this;
    if (state.trouble) return { text: state.trouble, kind: "bad" };
    if (state.phase === "over") return { text: winnersText(state, this.names), kind: "good" };
    if (state.to_move !== state.seat) return { text: `${capital(this.names[state.to_move])} is to move \u2026`, kind: "" };
    if (state.phase === "redeal") return { text: "You were dealt three pairs: you may demand a new deal.", kind: "" };
    if (this.played.length && judged) {
      const { legal, sentence } = judged.judgement;
      if (legal) return { text: `Legal: you play ${plural(this.played.length, "tile")}.`, kind: "good" };
      return { text: `Not yet legal: ${sentence}.`, kind: "warn" };
    }
    const mine = state.players[state.seat].last;
    const why = mine?.event === "failed" && mine.sentence ? `Taken back: ${mine.sentence}. ` : mine?.event === "timed_out" ? "Your time was up. " : "";
    const must = state.must_play ? "something can be played and must be" : `lay tiles, or ${state.pool ? "draw" : "pass"}`;
    return { text: `${why}Your turn: ${must}.`, kind: why ? "warn" : "" };
  }

  async showScores(title) {
    const { state } = this;
    const over = state.phase === "over";
    const answer = await askPerson(
      title,
      element("div", {}, scoreTable(state, this.names), element("details", { class: "log-details" }, element("summary", {}, "What was played"), logList(state, this.names))),
      over
        ? [["Save the record", "record"], ["New game", "new", "primary"], ["Close", null]]
        : [["Close", null, "primary"]],
    );
    if (answer === "new") location.hash = "";
    if (answer === "record") this.saveRecord();
  }

  async saveRecord() {
    try {
      const record = await this.seat.record();
      const file = new Blob([record], { type: "application/x-ndjson" });
      const link = element("a", { href: URL.createObjectURL(file), download: `rummikub-${this.seat.game}.jsonl` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    } catch (error) {
      this.say(error.message, "bad");
    }
  }

  showRules() {
    const { settings } = this.state;
    const keys = [
      ["Arrow keys", "go from tile to tile"],
      ["Enter", "pick up, and put down before the tile or at the place in focus"],
      ["Space", "pick up more tiles"],
      ["Escape", "let go"],
      ["S, double click", "part a meld before the tile"],
      ["J, double click", "a tile with two jokers: run or group"],
      ["Ctrl+Z, Ctrl+Y", "undo, redo"],
      ["H, E", "hint; end the turn"],
    ];
    askPerson(
      "Rules of this game",
      element(
        "div",
        {},
        element("p", { class: "quiet" }, settings.rules),
        element("ul", {}, settings.facts.map((fact) => element("li", {}, fact))),
        element("h3", {}, "Moving tiles"),
        element("p", {}, "Drag tiles, or click tiles and then the place where they go; several at once if several are picked up."),
        element("table", { class: "keys" }, keys.map(([key, what]) => element("tr", {}, element("th", {}, key), element("td", {}, what)))),
      ),
      [["Close", null, "primary"]],
    );
  }
}

// The ids of a rack in an order of kinds that it had; what is new comes last.
function inOrder(rack, kinds, tiles) {
  const left = [...rack];
  const ordered = [];
  for (const kind of kinds) {
    const at = left.findIndex((id) => tiles.kind(id) === kind);
    if (at >= 0) ordered.push(...left.splice(at, 1));
  }
  return [...ordered, ...left];
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

// A game that was opened by its address is listed on the start as well.
function keepLabel(seat, state) {
  if (knownSeats().some((known) => known.token === seat.token)) return;
  const others = state.players.filter((player) => player.seat !== state.seat);
  const preset = state.settings.rules.match(/'(\w+)'/)?.[1] ?? "";
  keepSeat({ game: seat.game, token: seat.token, label: `${preset} against ${others.map((player) => player.name).join(", ")}` });
}
