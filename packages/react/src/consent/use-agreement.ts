import {
  type Agreement,
  type Choice,
  declinedTerms,
  type EarlierConsents,
  type Reading,
  type Term,
  type TermsQuery,
} from "@musette/client/terms";
import { useEffect, useMemo, useState } from "react";
import type { Deferred } from "./use-deferred";

export interface AgreementState {
  readonly agreement: Agreement;
  /** The ids of the optional terms that the user declined earlier; all of them while that is not known. */
  readonly declined: ReadonlySet<number>;
  readonly readings: ReadonlyMap<number, Reading>;
  /** Whether ticks of an earlier screen of this account were set again. */
  readonly restoredTicks: boolean;
  /** Changes the choices of the user. */
  change(by: (agreement: Agreement) => Agreement): void;
  /** Records that a page of the document, or its text, was rendered while it was in view. */
  read(id: number, page: number): void;
  /** Removes the draft from the device after the decision is recorded. */
  forget(): void;
}

const none: ReadonlySet<number> = new Set();

export function useAgreement(
  { userId, termsType }: TermsQuery,
  terms: readonly Term[],
  earlier: EarlierConsents | undefined,
  deferred: Deferred | null | undefined,
): AgreementState {
  // False until the earlier ticks of this account are restored.
  const [restored, setRestored] = useState(!userId);
  const [draft, setDraft] = useState<ReadonlyMap<number, Choice>>(new Map());
  const [choices, setChoices] = useState<ReadonlyMap<number, Choice>>(new Map());
  const [readings, setReadings] = useState<ReadonlyMap<number, Reading>>(new Map());
  const declined = useMemo(() => declinedTerms(terms, earlier), [terms, earlier]);
  const agreement = useMemo(
    () => ({ earlier: earlier?.accepted ?? none, choices, declined }),
    [earlier, choices, declined],
  );

  useEffect(() => {
    if (!deferred) return;
    const draft = deferred.loadDraft(userId, termsType, new Date());
    if (!userId) return;
    setDraft(draft);
    setChoices((since) => new Map([...draft, ...since]));
    setRestored(true);
  }, [deferred, userId, termsType]);

  useEffect(() => {
    if (restored) deferred?.saveDraft(userId, termsType, choices, new Date());
  }, [deferred, restored, choices, userId, termsType]);

  return {
    agreement,
    declined,
    readings,
    restoredTicks: terms.some(({ id }) => draft.has(id) && !agreement.earlier.has(id)),
    change: (by) => setChoices((before) => by({ ...agreement, choices: before }).choices),
    read: (id, page) =>
      setReadings((before) => {
        const lastPage = before.get(id)?.lastPage ?? 0;
        if (page <= lastPage) return before;
        return new Map(before).set(id, { opened: true, lastPage: page });
      }),
    forget: () => deferred?.clearDraft(userId, termsType),
  };
}
