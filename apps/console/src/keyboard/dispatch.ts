import { isQuestionMark, isTaken, letterOf } from "./typing";
import type { Shortcut } from "./use-shortcut";

export interface Deeds {
  readonly goTo: (letter: string) => boolean;
  readonly search: () => void;
  readonly showMap: () => void;
  readonly shortcuts: () => readonly Shortcut[];
  readonly areSingleKeysOn: () => boolean;
}

/** How long to wait for the letter after `g`. */
const SECOND_KEY_MS = 1_500;

/** Handles the keys of the whole console, except while somebody types. */
export function dispatcher(deeds: Deeds): (event: KeyboardEvent) => void {
  let goUntil = 0;
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTaken(event.target) || !deeds.areSingleKeysOn()) return;
    const letter = letterOf(event);
    // Shift alone precedes a question mark, and does not end the sequence.
    if (event.key === "Shift") return;
    const isSecond = event.timeStamp < goUntil;
    goUntil = 0;
    if (isSecond && deeds.goTo(letter)) event.preventDefault();
    else if (isQuestionMark(event)) deeds.showMap();
    else if (letter === "g") goUntil = event.timeStamp + SECOND_KEY_MS;
    else if (letter === "/") {
      event.preventDefault();
      deeds.search();
    } else {
      const found = deeds.shortcuts().find(({ key }) => key === letter || key === event.key);
      if (!found || event.repeat) return;
      event.preventDefault();
      found.run();
    }
  };
}
