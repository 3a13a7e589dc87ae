import { useRef, useState } from "react";
import { kept, storedAfter } from "../../storage/storage";
import { same } from "../document/same";

/** An object of the document as somebody is changing it, kept until it is saved or thrown away. */
interface ObjectDraft<T> {
  /** The object when the change began; null for a new one. */
  readonly base: T | null;
  readonly object: T;
}

type Kind = "flag" | "segment";

interface Keyed {
  readonly key: string;
}

export const objectDraft = <T extends Keyed>(kind: Kind, env: string, key: string) =>
  kept(`musette.console.${kind}/${env}/${key}`, (value) => {
    const draft = value as ObjectDraft<T> | null;
    return draft?.object?.key === key ? draft : undefined;
  });

/** Drafts of all objects of an environment that are being changed in this browser. */
export const draftKeys = (kind: Kind, env: string): readonly string[] =>
  storedAfter(`musette.console.${kind}/${env}/`)
    .filter((key) => objectDraft(kind, env, key).read())
    .sort();

/** `lay` lays onto the draft what is never part of a change. */
export function useObjectDraft<T extends Keyed>(
  kind: Kind,
  env: string,
  key: string,
  saved: T | undefined,
  lay = (object: T): T => object,
) {
  const place = objectDraft<T>(kind, env, key);
  const [draft, setDraft] = useState(place.read);
  const [wasRestored, setRestored] = useState(Boolean(draft?.base));
  // Two changes of one event each see the one before.
  const latest = useRef(draft);

  const put = (next: ObjectDraft<T> | undefined) => {
    latest.current = next;
    place.write(next);
    setDraft(next);
  };
  const change = (update: (object: T) => T) => {
    const { base = saved ?? null, object = saved } = latest.current ?? {};
    if (object) put({ base, object: update(object) });
  };
  const discard = () => {
    put(undefined);
    setRestored(false);
  };

  const object = draft ? lay(draft.object) : saved;
  const base = draft?.base ? lay(draft.base) : undefined;
  const isChanged = draft !== undefined && !same(object, saved);
  return {
    saved,
    object,
    /** What this change was made from; undefined for what is new. */
    base,
    change,
    discard,
    isChanged,
    wasRestored: wasRestored && isChanged,
    /** Somebody else has saved this object since this change began. */
    isOvertaken: isChanged && !same(base, saved),
  };
}
