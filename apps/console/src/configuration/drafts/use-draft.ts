import { useState } from "react";
import { readStored, writeStored } from "../../storage/storage";

const nameOf = (name: string) => `musette.console.draft.${name}`;

function storedChanges<T extends object>(name: string, original: T): Partial<T> {
  try {
    const kept: unknown = JSON.parse(readStored(nameOf(name)) ?? "{}");
    const known = Object.entries(kept ?? {}).filter(([field]) => field in original);
    return Object.fromEntries(known) as Partial<T>;
  } catch {
    return {};
  }
}

/** The fields that were changed, and no others: those may be somebody else's by tomorrow. */
export function changesOf<T extends object>(original: T, draft: T): Partial<T> {
  const fields = Object.keys(draft) as (keyof T)[];
  const changed = fields.filter(
    (field) => JSON.stringify(draft[field]) !== JSON.stringify(original[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, draft[field]])) as Partial<T>;
}

/** A form that outlives a reload: it is kept in this browser until it is saved or discarded. */
export function useDraft<T extends object>(name: string, original: T) {
  const [kept] = useState(() => storedChanges(name, original));
  const [draft, setDraft] = useState<T>({ ...original, ...kept });
  const [isRestored, setRestored] = useState(Object.keys(kept).length > 0);
  const changes = changesOf(original, draft);
  return {
    draft,
    isRestored: isRestored && Object.keys(changes).length > 0,
    change(part: Partial<T>) {
      const next = { ...draft, ...part };
      setDraft(next);
      writeStored(nameOf(name), JSON.stringify(changesOf(original, next)));
    },
    discard() {
      setDraft(original);
      setRestored(false);
      writeStored(nameOf(name), undefined);
    },
    forget: () => writeStored(nameOf(name), undefined),
  };
}
