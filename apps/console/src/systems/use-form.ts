import { useEffect, useState } from "react";
import { session } from "../session/session";
import { storedValue } from "../storage/storage";
import type { SystemForm } from "./form";

/** One person's unsaved changes: on a shared computer, no other person may see them. */
const storedForm = (key: string) =>
  storedValue(
    `musette.system.${session.getState().userId}.${key}`,
    (value) => (value as Unsaved | null) ?? undefined,
  );

interface Unsaved {
  /** The revision of the draft that was changed; undefined if there was none. */
  readonly revision?: number | undefined;
  readonly form: SystemForm;
}

/** The form of a draft. Unsaved changes survive a reload. */
export function useForm(key: string, saved: SystemForm, revision: number | undefined) {
  const [{ stored, restored }] = useState(() => {
    const stored = storedForm(key);
    const unsaved = stored.read();
    return { stored, restored: unsaved?.revision === revision ? unsaved?.form : undefined };
  });
  const [form, setForm] = useState(restored ?? saved);
  const isChanged = JSON.stringify(form) !== JSON.stringify(saved);
  useEffect(() => {
    stored.write(isChanged ? { revision, form } : undefined);
  }, [stored, isChanged, revision, form]);
  return {
    form,
    isChanged,
    wasRestored: restored !== undefined,
    edit: (change: (form: SystemForm) => SystemForm) => setForm(change),
    reset: () => setForm(saved),
  };
}
