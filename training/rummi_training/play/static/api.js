// What the server is asked, and errors as sentences.

export class Refused extends Error {
  constructor(status, told) {
    super(told.error ?? `the server answered with status ${status}`);
    this.status = status;
    this.told = told;
  }
}

async function ask(method, path, token, body) {
  const headers = {};
  if (token) headers["x-seat-token"] = token;
  if (body !== undefined) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused(0, { error: "The server does not answer; trying again." });
  }
  if (response.status === 204) return null;
  if (response.ok && response.headers.get("content-type") === "application/x-ndjson")
    return response.text();
  const told = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, told);
  return told;
}

export const options = () => ask("GET", "/api/options");
export const createGame = (asked) => ask("POST", "/api/games", null, asked);

// One seat of one game.
export class Seat {
  constructor(game, token) {
    this.game = game;
    this.token = token;
    this.path = `/api/games/${encodeURIComponent(game)}`;
  }
  look(after) {
    const query = after === undefined ? "" : `?after=${after}`;
    return ask("GET", this.path + query, this.token);
  }
  lay(laid) {
    return ask("PUT", `${this.path}/turn`, this.token, laid);
  }
  end(laid) {
    return ask("POST", `${this.path}/end`, this.token, laid);
  }
  draw(turn) {
    return ask("POST", `${this.path}/draw`, this.token, { turn });
  }
  redeal(turn, demand) {
    return ask("POST", `${this.path}/redeal`, this.token, { turn, demand });
  }
  arrange(laid) {
    return ask("PUT", `${this.path}/board`, this.token, laid);
  }
  act(turn, action) {
    return ask("POST", `${this.path}/act`, this.token, { turn, action });
  }
  hint(turn, by) {
    return ask("POST", `${this.path}/hint`, this.token, { turn, by });
  }
  record() {
    return ask("GET", `${this.path}/record`, this.token);
  }
}

// Seats that this browser holds, the latest first.
const KEY = "rummi-seats";

export function knownSeats() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

export function keepSeat(seat) {
  const others = knownSeats().filter((known) => known.token !== seat.token);
  localStorage.setItem(KEY, JSON.stringify([seat, ...others].slice(0, 50)));
}

export function forgetSeat(token) {
  const others = knownSeats().filter((known) => known.token !== token);
  localStorage.setItem(KEY, JSON.stringify(others));
}

// Lists a game that was opened by its address on the start as well.
export function listSeat(seat, state) {
  if (knownSeats().some((known) => known.token === seat.token)) return;
  const others = state.players.filter((player) => player.seat !== state.seat);
  const names = others.map((player) => player.name).join(", ");
  const label = `${state.settings.rules} against ${names}`;
  keepSeat({ game: seat.game, token: seat.token, label });
}
