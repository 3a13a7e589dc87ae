import { isForTextEntry, isQuestionMark, letterOf } from "./typing";
import type { Shortcut } from "./use-shortcut";

export interface Actions {
  readonly goTo: (letter: string) => boolean;
  readonly search: () => void;
  readonly showMap: () => void;
  readonly shortcuts: () => readonly Shortcut[];
  readonly areSingleKeysOn: () => boolean;
}

/** How long to wait for the letter after `g`. */
const SECOND_KEY_MS = 1_500;

/** Handles the keys of the whole console, except while the person types. */
export function dispatcher(actions: Actions): (event: KeyboardEvent) => void {
  let goUntil = 0;
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isForTextEntry(event.target) || !actions.areSingleKeysOn()) return;
    const letter = letterOf(event);
    // Shift alone precedes a question mark, and does not end the sequence.
    if (event.key === "Shift") return;
    const isSecond = event.timeStamp < goUntil;
    goUntil = 0;
    if (isSecond && actions.goTo(letter)) event.preventDefault();
    else if (isQuestionMark(event)) actions.showMap();
    else if (letter === "g") goUntil = event.timeStamp + SECOND_KEY_MS;
    else if (letter === "/") {
      event.preventDefault();
      actions.search();
    } else {
      const shortcut = actions.shortcuts().find(({ key }) => key === letter || key === event.key);
      if (!shortcut || event.repeat) return;
      event.preventDefault();
      shortcut.run();
    }
  };
}
