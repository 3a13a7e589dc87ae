import { useRef, useState } from "react";
import { storedKeys, storedValue } from "../../storage/storage";
import { same } from "../document/same";

/**
 * An object of the document with unsaved changes, stored in this browser until it is saved or
 * discarded.
 */
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
  storedValue(`musette.console.${kind}/${env}/${key}`, (value) => {
    const draft = value as ObjectDraft<T> | null;
    return draft?.object?.key === key ? draft : undefined;
  });

/** Returns the keys of all objects in an environment that have unsaved changes in this browser. */
export const draftKeys = (kind: Kind, env: string): readonly string[] =>
  storedKeys(`musette.console.${kind}/${env}/`)
    .filter((key) => objectDraft(kind, env, key).read())
    .sort();

/** Keeps the draft of one object. `lay` adds to the draft the members that are never part of a change. */
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
  // If one event makes two changes, the second must see the first.
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
    /** The object that this change is based on; undefined for a new one. */
    base,
    change,
    discard,
    isChanged,
    wasRestored: wasRestored && isChanged,
    /** Another person has saved this object since this change began. */
    isOvertaken: isChanged && !same(base, saved),
  };
}
