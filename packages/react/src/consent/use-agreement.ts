import {
  type Agreement,
  clearDraft,
  loadDraft,
  type Reading,
  saveDraft,
  type TermsQuery,
} from "@musette/client/terms";
import { useEffect, useMemo, useState } from "react";

export interface AgreementState {
  readonly agreement: Agreement;
  readonly readings: ReadonlyMap<number, Reading>;
  change(by: (agreement: Agreement) => Agreement): void;
  /** The document was opened, or this page of it was reached. */
  read(id: number, page?: number): void;
  /** The decision is recorded: nothing of it needs to be kept on the device. */
  forget(): void;
}

export function useAgreement(query: TermsQuery, earlier: ReadonlySet<number>): AgreementState {
  const { userId, termsType } = query;
  const [draft, setDraft] = useState(() => loadDraft(userId, termsType, new Date()));
  const agreement = useMemo(() => ({ earlier, choices: draft.choices }), [earlier, draft.choices]);

  useEffect(() => saveDraft(userId, termsType, draft, new Date()), [draft, userId, termsType]);

  return {
    agreement,
    readings: draft.readings,
    change: (by) =>
      setDraft((before) => ({
        ...before,
        choices: by({ earlier, choices: before.choices }).choices,
      })),
    read: (id, page = 0) =>
      setDraft((before) => {
        const furthest = before.readings.get(id)?.lastPage ?? 0;
        if (before.readings.has(id) && page <= furthest) return before;
        const reading = { opened: true, lastPage: Math.max(page, furthest) };
        return { ...before, readings: new Map(before.readings).set(id, reading) };
      }),
    forget: () => clearDraft(userId, termsType),
  };
}
