import { useSyncExternalStore } from "react";
import { readStored, writeStored } from "../storage/storage";

const REMEMBERED = "musette.rows";
const COMFORTABLE = "comfortable";

/** The heights of a row of a list. The style sheet has the same values. */
export const COMPACT_PX = 40;
export const COMFORTABLE_PX = 52;

const listeners = new Set<() => void>();

const isComfortable = (): boolean => readStored(REMEMBERED) === COMFORTABLE;

/** Applies the remembered height to the document, whose style sheet all lists follow. */
export function applyRowHeight(): void {
  if (isComfortable()) document.documentElement.dataset.rows = COMFORTABLE;
  else delete document.documentElement.dataset.rows;
}

export function chooseRowHeight(comfortable: boolean): void {
  writeStored(REMEMBERED, comfortable ? COMFORTABLE : undefined);
  applyRowHeight();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether the user has chosen higher rows. */
export const useIsComfortable = (): boolean => useSyncExternalStore(subscribe, isComfortable);
