import { useState } from "react";
import { storedValue } from "../../storage/storage";

/** Keeps only the fields that the form still has. */
const storedDraft = <T extends object>(name: string, original: T) =>
  storedValue(`musette.console.draft.${name}`, (value) => {
    const fields = Object.entries(value ?? {}).filter(([field]) => field in original);
    return Object.fromEntries(fields) as Partial<T>;
  });

/** Returns only the changed fields, because another person may change the others meanwhile. */
export function changesOf<T extends object>(original: T, draft: T): Partial<T> {
  const fields = Object.keys(draft) as (keyof T)[];
  const changed = fields.filter(
    (field) => JSON.stringify(draft[field]) !== JSON.stringify(original[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, draft[field]])) as Partial<T>;
}

/** Form state that survives a reload: the browser stores it until it is saved or discarded. */
export function useDraft<T extends object>(name: string, original: T) {
  const { read, write } = storedDraft(name, original);
  const [restored] = useState(() => read() ?? {});
  const [draft, setDraft] = useState<T>({ ...original, ...restored });
  const [isRestored, setRestored] = useState(Object.keys(restored).length > 0);
  const changes = changesOf(original, draft);
  return {
    draft,
    isRestored: isRestored && Object.keys(changes).length > 0,
    change(part: Partial<T>) {
      const next = { ...draft, ...part };
      setDraft(next);
      write(changesOf(original, next));
    },
    discard() {
      setDraft(original);
      setRestored(false);
      write(undefined);
    },
    forget: () => write(undefined),
  };
}
