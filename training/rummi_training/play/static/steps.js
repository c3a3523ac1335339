// The steps of a turn, to be undone and done again. They survive a reload of the tab:
// ids of tiles are the same then.

export class Steps {
  constructor(game, seat) {
    this.prefix = `rummi-steps-${game}-${seat}-`;
    this.clear();
  }

  clear() {
    this.past = [];
    this.future = [];
  }

  // Goes on with the steps of a turn that this tab has seen before.
  begin(turn) {
    this.key = this.prefix + turn;
    this.clear();
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.key));
      if (kept) [this.past, this.future] = kept;
      for (const key of Object.keys(sessionStorage))
        if (key.startsWith(this.prefix) && key !== this.key)
          sessionStorage.removeItem(key);
    } catch {
      // Without storage only the steps are lost.
    }
  }

  add(before) {
    this.past.push(before);
    this.future = [];
    this.keep();
  }

  // Both return what to go to, or undefined, and take what there is now.
  undo(now) {
    return this.go(this.past, this.future, now);
  }

  redo(now) {
    return this.go(this.future, this.past, now);
  }

  go(from, to, now) {
    if (!from.length) return undefined;
    to.push(now);
    const found = from.pop();
    this.keep();
    return found;
  }

  keep() {
    try {
      sessionStorage.setItem(this.key, JSON.stringify([this.past, this.future]));
    } catch {
      // As above.
    }
  }
}
