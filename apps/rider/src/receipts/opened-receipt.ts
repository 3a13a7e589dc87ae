import type { Consent, OpenedReceipt } from "@musette/client/terms";
import { receiptOf, type StoredReceipt } from "../terms/receipt";
import { termsClient } from "../terms/terms-client";

/** A receipt as the server returns it. */
export interface Opened {
  readonly receipt: StoredReceipt;
  /** The latest decision about each term. The receipt itself contains the decisions at its own time. */
  readonly standing: readonly Consent[];
  /** The number alone is enough to withdraw, and to claim the receipt for an account. */
  readonly ofApplicant: boolean;
  /** The address for another phone. Undefined if the server has no public URL. */
  readonly link?: NonNullable<OpenedReceipt["link"]>;
}

export async function openReceipt(
  id: string,
  userId: string | undefined,
  language: string,
): Promise<Opened> {
  return toOpened(await termsClient(language, userId).lookUpReceipt(id));
}

export function toOpened(answer: OpenedReceipt): Opened {
  const { terms, standing } = answer;
  const termOf = (id: number) => terms.find((term) => term.id === id);
  return {
    receipt: receiptOf(answer, termOf),
    standing,
    ofApplicant: answer.user_id === "",
    ...(answer.link && { link: answer.link }),
  };
}
