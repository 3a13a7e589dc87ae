import { useEffect, useState } from "react";
import { session } from "../../session/session";
import { storedValue } from "../../storage/storage";
import type { CampaignForm } from "./form";

interface Unsaved {
  /** The saved form that was changed. */
  readonly saved: CampaignForm;
  readonly form: CampaignForm;
}

/** One person's unsaved changes: on a shared computer, no other person may see them. */
const storedForm = (name: string) =>
  storedValue(
    `musette.campaign.${session.getState().userId}.${name}`,
    (value) => (value as Unsaved | null) ?? undefined,
  );

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The form of a campaign. Unsaved changes survive a reload, unless the campaign was changed since. */
export function useForm(name: string, initial: CampaignForm) {
  // The same object in each render, so that a saved form is not stored again.
  const [saved] = useState(initial);
  const [{ stored, restored }] = useState(() => {
    const stored = storedForm(name);
    const unsaved = stored.read();
    return { stored, restored: isSame(unsaved?.saved, saved) ? unsaved?.form : undefined };
  });
  const [form, setForm] = useState(restored ?? saved);
  const isChanged = !isSame(form, saved);
  useEffect(() => {
    stored.write(isChanged ? { saved, form } : undefined);
  }, [stored, isChanged, saved, form]);
  return {
    form,
    isChanged,
    wasRestored: restored !== undefined,
    edit: (change: (form: CampaignForm) => CampaignForm) => setForm(change),
    reset: () => setForm(saved),
    forget: () => stored.write(undefined),
  };
}
