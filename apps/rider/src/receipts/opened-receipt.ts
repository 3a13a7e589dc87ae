import type { Consent, OpenedReceipt } from "@musette/client/terms";
import { termsClient } from "../terms/terms-client";
import { type KeptReceipt, receiptOf } from "./receipt";

/** A receipt as the server tells it. */
export interface Opened {
  readonly receipt: KeptReceipt;
  /** By the latest decision on each term: the receipt itself only says what was decided then. */
  readonly standing: readonly Consent[];
  /** Whoever has the number may withdraw by it and join it to an account. */
  readonly ofApplicant: boolean;
}

export async function openReceipt(
  id: string,
  userId: string | undefined,
  language: string,
): Promise<Opened> {
  return opened(await termsClient(language, userId).lookUpReceipt(id));
}

export function opened(answer: OpenedReceipt): Opened {
  const { terms, standing } = answer;
  const termOf = (id: number) => terms.find((term) => term.id === id);
  return {
    receipt: receiptOf(answer, termOf),
    standing,
    ofApplicant: answer.user_id === "",
  };
}
