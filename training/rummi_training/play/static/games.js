// Which page a game has; the server tells what is played.

import { Seat } from "./api.js";
import { GameView } from "./game.js";
import { TablaView } from "./tabla.js";

export function showGame(page, game, token) {
  const seat = new Seat(game, token);
  let view = null;
  let left = false;
  const open = (View) => {
    if (left) return;
    view = new View(page, seat);
    view.look();
  };
  seat
    .look()
    .then((told) => open(told.settings.game === "tabla" ? TablaView : GameView))
    // Whatever is wrong is shown there.
    .catch(() => open(GameView));
  return () => {
    left = true;
    view?.close();
  };
}
