import { createTermsClient, type Term, type TermsClient } from "@musette/client/terms";
import { session } from "../session/session";

/** Sent with every submission, so that the evidence says where it was given. */
export const APP = "musette-rider";

const clients = new Map<string, TermsClient>();
const seen = new Map<number, Term>();

/**
 * One client a language and caller, which remembers the terms that it fetched: a receipt names them
 * by id. An applicant's calls go past the session, since its troubles are none of theirs.
 */
export function termsClient(locale: string, userId: string | undefined): TermsClient {
  const key = `${locale} ${userId ?? ""}`;
  const known = clients.get(key);
  if (known) return known;
  const client = createTermsClient({ locale, ...(userId && { fetch: session.fetch }) });
  const remembering: TermsClient = {
    ...client,
    async fetchTerms(query) {
      const terms = await client.fetchTerms(query);
      for (const term of terms) seen.set(term.id, term);
      return terms;
    },
  };
  clients.set(key, remembering);
  return remembering;
}

export function seenTerm(id: number): Term | undefined {
  return seen.get(id);
}
