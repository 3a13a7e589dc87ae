import {
  type Agreement,
  type Choice,
  type EarlierConsents,
  heldTerms,
  type Reading,
  type Term,
  type TermsQuery,
} from "@musette/client/terms";
import { useEffect, useMemo, useState } from "react";
import type { Deferred } from "./use-deferred";

export interface AgreementState {
  readonly agreement: Agreement;
  /** What "agree to all" leaves alone. */
  readonly held: ReadonlySet<number>;
  readonly readings: ReadonlyMap<number, Reading>;
  change(by: (agreement: Agreement) => Agreement): void;
  /** This page of the document, or its text, was drawn on the screen while it was in view. */
  read(id: number, page: number): void;
  /** The decision is recorded: nothing of it needs to be kept on the device. */
  forget(): void;
}

const none: ReadonlySet<number> = new Set();

export function useAgreement(
  { userId, termsType }: TermsQuery,
  terms: readonly Term[],
  earlier: EarlierConsents | undefined,
  deferred: Deferred | null | undefined,
): AgreementState {
  // Undefined: what this account ticked before is not restored yet.
  const [restored, setRestored] = useState(!userId);
  const [choices, setChoices] = useState<ReadonlyMap<number, Choice>>(new Map());
  const [readings, setReadings] = useState<ReadonlyMap<number, Reading>>(new Map());
  const held = useMemo(() => heldTerms(terms, earlier), [terms, earlier]);
  const agreement = useMemo(
    () => ({ earlier: earlier?.accepted ?? none, choices, held }),
    [earlier, choices, held],
  );

  useEffect(() => {
    if (!deferred) return;
    const draft = deferred.loadDraft(userId, termsType, new Date());
    if (!userId) return;
    setChoices((since) => new Map([...draft, ...since]));
    setRestored(true);
  }, [deferred, userId, termsType]);

  useEffect(() => {
    if (restored) deferred?.saveDraft(userId, termsType, choices, new Date());
  }, [deferred, restored, choices, userId, termsType]);

  return {
    agreement,
    held,
    readings,
    change: (by) => setChoices((before) => by({ ...agreement, choices: before }).choices),
    read: (id, page) =>
      setReadings((before) => {
        const furthest = before.get(id)?.lastPage ?? 0;
        if (page <= furthest) return before;
        return new Map(before).set(id, { opened: true, lastPage: page });
      }),
    forget: () => deferred?.clearDraft(userId, termsType),
  };
}
