import {
  type Agreement,
  type Choice,
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
  const [choices, setChoices] = useState<ReadonlyMap<number, Choice>>(() =>
    loadDraft(userId, termsType, new Date()),
  );
  const [readings, setReadings] = useState<ReadonlyMap<number, Reading>>(new Map());
  const agreement = useMemo(() => ({ earlier, choices }), [earlier, choices]);

  useEffect(() => saveDraft(userId, termsType, choices, new Date()), [choices, userId, termsType]);

  return {
    agreement,
    readings,
    change: (by) => setChoices((before) => by({ earlier, choices: before }).choices),
    read: (id, page = 0) =>
      setReadings((before) => {
        const furthest = before.get(id)?.lastPage ?? 0;
        if (before.has(id) && page <= furthest) return before;
        return new Map(before).set(id, { opened: true, lastPage: Math.max(page, furthest) });
      }),
    forget: () => clearDraft(userId, termsType),
  };
}
