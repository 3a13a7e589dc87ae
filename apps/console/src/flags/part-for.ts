import type { FlagsDocument } from "../configuration/document/document";
import { experimentsOf } from "./edit-flag";

/**
 * Returns the part of a document that affects one flag. With ten thousand other flags, each preview
 * request would otherwise send megabytes.
 */
export function partAffecting(document: FlagsDocument, key: string): FlagsDocument {
  const all = new Map(document.flags.map((flag) => [flag.key, flag]));
  const needed = new Set<string>();
  const waiting = [key];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (needed.has(next)) continue;
    needed.add(next);
    waiting.push(...(all.get(next)?.prerequisites ?? []).map(({ flag }) => flag));
  }
  const flags = document.flags.filter((flag) => needed.has(flag.key));
  const experiments = new Set(flags.flatMap(experimentsOf).map((experiment) => experiment.key));
  const named = (keys: readonly string[]) => keys.filter((key) => needed.has(key));
  return {
    ...document,
    flags,
    layers: document.layers.map((layer) => ({
      ...layer,
      slots: layer.slots.filter(({ experiment }) => experiments.has(experiment)),
    })),
    holdouts: document.holdouts.map(({ applies, ...holdout }) => ({
      ...holdout,
      applies: {
        ...applies,
        flags: named(applies.flags),
        exceptFlags: named(applies.exceptFlags),
      },
    })),
  };
}
