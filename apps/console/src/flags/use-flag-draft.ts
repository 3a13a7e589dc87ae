import { useRef, useState } from "react";
import {
  type Flag,
  type FlagsDocument,
  withFlag,
  withoutFlag,
} from "../configuration/document/document";
import { same } from "../configuration/document/same";
import { dropDraft, type FlagDraft, keepDraft, readDraft } from "./flag-draft";

export type ChangeFlag = (update: (flag: Flag) => Flag) => void;

/** One flag as it is being changed; whether it is switched on is never part of that. */
export function useFlagDraft(env: string, key: string, document: FlagsDocument) {
  const saved = document.flags.find((flag) => flag.key === key);
  const [draft, setDraft] = useState(() => readDraft(env, key));
  const [wasRestored, setRestored] = useState(draft !== undefined && draft.base !== null);
  const latest = useRef(draft);

  const switched = (flag: Flag): Flag => (saved ? { ...flag, on: saved.on } : flag);
  const flag = draft ? switched(draft.flag) : saved;

  const change: ChangeFlag = (update) => {
    const now = latest.current?.flag ?? saved;
    if (!now) return;
    const begun = latest.current ?? { base: saved ?? null, version: document.version };
    const next: FlagDraft = { base: begun.base, version: begun.version, flag: update(now) };
    latest.current = next;
    keepDraft(env, next);
    setDraft(next);
  };
  const discard = () => {
    latest.current = undefined;
    dropDraft(env, key);
    setDraft(undefined);
    setRestored(false);
  };

  const isChanged = draft !== undefined && flag !== undefined && !same(flag, saved);
  const base = draft?.base ? switched(draft.base) : undefined;
  return {
    saved,
    flag,
    change,
    discard,
    isChanged,
    isNew: saved === undefined && flag !== undefined,
    wasRestored: wasRestored && isChanged,
    /** Somebody else has saved this flag since this change began. */
    isOvertaken: isChanged && !same(base, saved),
    /** What this change was made from, laid into what is current otherwise. */
    ancestor: () => (base ? withFlag(document, base) : withoutFlag(document, key)),
    document: flag ? withFlag(document, flag) : document,
  };
}
