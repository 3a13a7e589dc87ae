import {
  createTermsClient,
  failureOf,
  type SubmissionAnswer,
  type Term,
  type TermsClient,
} from "@musette/client/terms";
import { fetchAndStore, hasNoAnswer, storedAnswer } from "../offline/stored-answers";
import { session } from "../session/session";
import { fetchInlined } from "./inlined-terms";
import { sendWaiting, waitingBefore } from "./outbox";
import { receiptOf } from "./receipt";
import { sendWhenOnline } from "./send-when-online";
import { storeReceipt } from "./stored-receipts";
import { notifyUnanswered } from "./unanswered";

/** Sent with every submission, so the evidence says where it was given. */
export const APP = "musette-rider";

const clients = new Map<string, TermsClient>();
const listedTerms = new Map<number, Term>();

/**
 * Returns one client per language and caller. It remembers the fetched terms, because receipts name
 * them by id. An applicant's requests do not use the session, so its errors do not affect them. A
 * rider's decisions are sent in the order in which they were made.
 */
export function termsClient(locale: string, userId: string | undefined): TermsClient {
  const key = `${locale} ${userId ?? ""}`;
  const existing = clients.get(key);
  if (existing) return existing;
  const client = createTermsClient({ locale, fetch: userId ? session.fetch : fetchInlined });
  const remembering: TermsClient = {
    ...client,
    async fetchTerms(query) {
      const ask = () => client.fetchTerms(query);
      const name = `terms ${locale} ${query.termsType}`;
      // An applicant's terms are public: the worker keeps them.
      const terms = await (userId ? fetchAndStore(name, ask) : ask()).catch((error: unknown) => {
        const mayUseStored = userId && !query.fresh && hasNoAnswer(error);
        const earlier = mayUseStored && storedAnswer<readonly Term[]>(name)?.value;
        if (earlier) return earlier;
        throw error;
      });
      for (const term of terms) listedTerms.set(term.id, term);
      return terms;
    },
    async submitConsents(submission, options) {
      if (userId) {
        const before = await waitingBefore(userId, options.idempotencyKey);
        await sendWaiting(before, client.submitConsents, storeAnswer);
      }
      return client.submitConsents(submission, options).catch((error: unknown) => {
        const { final, kind, seconds } = failureOf(error);
        if (!final) sendWhenOnline().catch(() => undefined);
        if (!final && kind !== "signedOut") notifyUnanswered(seconds);
        throw error;
      });
    },
  };
  clients.set(key, remembering);
  return remembering;
}

export function listedTerm(id: number): Term | undefined {
  return listedTerms.get(id);
}

export function storeAnswer(answer: SubmissionAnswer): void {
  storeReceipt(receiptOf(answer, listedTerm));
}
