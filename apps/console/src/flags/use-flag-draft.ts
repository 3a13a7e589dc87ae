import {
  type Flag,
  type FlagsDocument,
  withFlag,
  withoutFlag,
} from "../configuration/document/document";
import { useObjectDraft } from "../configuration/drafts/object-draft";

export type ChangeFlag = (update: (flag: Flag) => Flag) => void;

/** One flag as it is being changed; whether it is switched on is never part of that. */
export function useFlagDraft(env: string, key: string, document: FlagsDocument) {
  const saved = document.flags.find((flag) => flag.key === key);
  const { object: flag, ...draft } = useObjectDraft("flag", env, key, saved, (it) =>
    saved ? { ...it, on: saved.on } : it,
  );
  return {
    ...draft,
    flag,
    isNew: saved === undefined && flag !== undefined,
    /** What this change was made from, laid into what is current otherwise. */
    ancestor: () => (draft.base ? withFlag(document, draft.base) : withoutFlag(document, key)),
    document: flag ? withFlag(document, flag) : document,
  };
}
