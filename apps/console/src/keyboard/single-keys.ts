import { readStored, writeStored } from "../storage/storage";

// WCAG 2.1.4: people who use speech input must be able to turn single-key shortcuts off.
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
