import { readStored, writeStored } from "../storage/storage";

// WCAG 2.1.4: whoever speaks to the computer must be able to switch shortcuts of one letter off.
const STORED = "musette.console.single-keys";

const listeners = new Set<() => void>();

export const singleKeys = {
  areOn: (): boolean => readStored(STORED) !== "off",
  switch(on: boolean): void {
    writeStored(STORED, on ? undefined : "off");
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
