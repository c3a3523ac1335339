// How the tiles of a turn lie: melds and rack, as lists of tile ids. Nothing is changed
// in place, so that an older arrangement is all that undoing needs.

// Ids are a kind and a number of the copy, those of the table first: the same tiles have
// the same ids after a reload.
export class Tiles {
  constructor(table, rack) {
    this.marks = new Map();
    this.numTable = new Map();
    this.start = { melds: [], rack: [] };
    this.named = new Map();
    const seen = new Map();
    const next = (token) => {
      const kind = kindOf(token);
      const copy = seen.get(kind) ?? 0;
      seen.set(kind, copy + 1);
      const id = `${kind}.${copy}`;
      if (token.startsWith("J=")) this.named.set(id, token.slice(2));
      return id;
    };
    for (const meld of table) {
      const ids = meld.tiles.map(next);
      ids.forEach((id, place) => this.marks.set(id, meld.by[place]));
      this.start.melds.push(ids);
    }
    this.numTable = new Map(seen);
    this.start.rack = rack.map(next);
  }

  kind(id) {
    return id.split(".")[0];
  }

  // The tile in the notation, with the name of a joker if it was given one.
  token(id) {
    const name = this.named.get(id);
    return name ? `J=${name}` : this.kind(id);
  }

  fromTable(id) {
    return Number(id.split(".")[1]) < (this.numTable.get(this.kind(id)) ?? 0);
  }

  // Two jokers with one tile are a group, unless one is named as a neighbor of the tile:
  // goes to the next name and returns it, undefined for the group, and null for other
  // melds, where the place of a joker says what it is.
  renamed(meld, id) {
    const naturals = meld.filter((each) => this.kind(each) !== "J");
    if (naturals.length !== 1 || meld.length !== 3) return null;
    const kind = this.kind(naturals[0]);
    const numbers = [1, -1].map((step) => Number(kind.slice(1)) + step);
    const names = numbers
      .filter((number) => number >= 1 && number <= 13)
      .map((number) => kind[0] + number);
    const choices = [undefined, ...names];
    const next = choices[(choices.indexOf(this.named.get(id)) + 1) % choices.length];
    for (const each of meld) this.named.delete(each);
    if (next) this.named.set(id, next);
    return next;
  }

  // Gives ids to tiles that are told by the notation; what is left is the rack, in the
  // order of the rack given.
  arrangement(melds, rack) {
    const ids = [...this.start.melds.flat(), ...this.start.rack];
    const free = new Set(ids);
    const take = (token) => {
      const kind = kindOf(token);
      const id = ids.find((each) => free.has(each) && this.kind(each) === kind);
      free.delete(id);
      if (kind === "J") {
        if (token.startsWith("J=")) this.named.set(id, token.slice(2));
        else this.named.delete(id);
      }
      return id;
    };
    const laid = melds.map((meld) => meld.map(take));
    const left = rack.map((token) => {
      const own = ids.findLast((id) => free.has(id) && this.kind(id) === kindOf(token));
      free.delete(own);
      return own;
    });
    return { melds: laid, rack: left.filter((id) => id !== undefined) };
  }
}

export const kindOf = (token) => token.split("=")[0];

// Puts tiles somewhere: {zone: "meld", meld, at}, {zone: "new", at} or {zone: "rack", at}.
export function placed({ melds, rack }, ids, target) {
  const moved = new Set(ids);
  const arriving = ids.map((id) => ({ id }));
  const insert = (list, at) => [...list.slice(0, at), ...arriving, ...list.slice(at)];
  const settle = (list) =>
    list.filter((each) => !moved.has(each)).map((each) => each.id ?? each);
  let all = melds;
  let shelf = rack;
  if (target.zone === "meld")
    all = melds.map((meld, i) => (i === target.meld ? insert(meld, target.at) : meld));
  else if (target.zone === "new")
    all = [...melds.slice(0, target.at), arriving, ...melds.slice(target.at)];
  else shelf = insert(rack, target.at);
  return {
    melds: all.map(settle).filter((meld) => meld.length),
    rack: settle(shelf),
  };
}

// Parts a meld in two before one of its tiles.
export function parted({ melds, rack }, id) {
  const parts = melds.flatMap((meld) => {
    const at = meld.indexOf(id);
    return at > 0 ? [meld.slice(0, at), meld.slice(at)] : [meld];
  });
  return { melds: parts, rack };
}

const COLORS = "KRBO";
const numberOf = (kind) => (kind === "J" ? 99 : Number(kind.slice(1)));
const colorOf = (kind) => (kind === "J" ? 9 : COLORS.indexOf(kind[0]));

export function sorted(arrangement, tiles, by) {
  const keys = (id) => {
    const kind = tiles.kind(id);
    const both = [colorOf(kind), numberOf(kind)];
    return by === "number" ? both.reverse() : both;
  };
  const rack = [...arrangement.rack].sort((one, other) => {
    const [a, b] = [keys(one), keys(other)];
    return a[0] - b[0] || a[1] - b[1];
  });
  return { ...arrangement, rack };
}

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// The ids of a rack in an order of kinds that it had; what is new comes last.
export function inOrder(rack, kinds, tiles) {
  const left = [...rack];
  const ordered = [];
  for (const kind of kinds) {
    const at = left.findIndex((id) => tiles.kind(id) === kind);
    if (at >= 0) ordered.push(...left.splice(at, 1));
  }
  return [...ordered, ...left];
}
