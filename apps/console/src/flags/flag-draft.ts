import type { Flag } from "../configuration/document/document";
import { readStored, storedAfter, writeStored } from "../storage/storage";

/** A flag as somebody is changing it: kept in this browser until it is saved or thrown away. */
export interface FlagDraft {
  /** As it was when the change began; null for one that is new. */
  readonly base: Flag | null;
  readonly flag: Flag;
  /** Of the document that it was made from. */
  readonly version: number;
}

const at = (env: string, key: string) => `musette.console.flag/${env}/${key}`;

export function readDraft(env: string, key: string): FlagDraft | undefined {
  const text = readStored(at(env, key));
  if (!text) return undefined;
  try {
    const draft: FlagDraft | null = JSON.parse(text);
    return draft?.flag?.key === key && Array.isArray(draft.flag.rules) ? draft : undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(env: string, draft: FlagDraft): void {
  writeStored(at(env, draft.flag.key), JSON.stringify(draft));
}

/** Of all flags of an environment that are being changed in this browser. */
export const draftKeys = (env: string): readonly string[] =>
  storedAfter(at(env, ""))
    .filter((key) => readDraft(env, key))
    .sort();

export function dropDraft(env: string, key: string): void {
  writeStored(at(env, key), undefined);
}
