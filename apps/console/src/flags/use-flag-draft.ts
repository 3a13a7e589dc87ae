import {
  type Flag,
  type FlagsDocument,
  withFlag,
  withoutFlag,
} from "../configuration/document/document";
import { useObjectDraft } from "../configuration/drafts/object-draft";

export type ChangeFlag = (update: (flag: Flag) => Flag) => void;

/** The draft of one flag. Whether it is on is never part of the draft. */
export function useFlagDraft(env: string, key: string, document: FlagsDocument) {
  const saved = document.flags.find((flag) => flag.key === key);
  const { object: flag, ...draft } = useObjectDraft("flag", env, key, saved, (object) =>
    saved ? { ...object, on: saved.on } : object,
  );
  return {
    ...draft,
    flag,
    isNew: saved === undefined && flag !== undefined,
    /** Returns the current document with the flag as it was when this change began. */
    ancestor: () => (draft.base ? withFlag(document, draft.base) : withoutFlag(document, key)),
    document: flag ? withFlag(document, flag) : document,
  };
}
