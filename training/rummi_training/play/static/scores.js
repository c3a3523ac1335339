// The score sheet as a dialog, and the record of a match as a file.

import { askPerson, element } from "./dom.js";
import { logList, scoreTable } from "./parts.js";

export async function showScores(title, state, names, seat) {
  const over = state.phase === "over";
  const answer = await askPerson(
    title,
    element(
      "div",
      {},
      scoreTable(state, names),
      element(
        "details",
        { class: "log-details" },
        element("summary", {}, "What was played"),
        logList(state, names),
      ),
    ),
    over
      ? [
          ["Save the record", "record"],
          ["New game", "new", "primary"],
          ["Close", null],
        ]
      : [["Close", null, "primary"]],
  );
  if (answer === "new") location.hash = "";
  if (answer === "record") await saveRecord(seat);
}

async function saveRecord(seat) {
  const file = new Blob([await seat.record()], { type: "application/x-ndjson" });
  const link = element("a", {
    href: URL.createObjectURL(file),
    download: `rummikub-${seat.game}.jsonl`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
