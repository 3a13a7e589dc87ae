import { createTermsClient, type Term, type TermsClient } from "@musette/client/terms";
import { authorisedFetch } from "../session/session";

/** Sent with every submission, so that the evidence says where it was given. */
export const APP = "musette-rider";

const clients = new Map<string, TermsClient>();
const seen = new Map<number, Term>();

/** One client a language, which remembers the terms that it fetched: a receipt names them by id. */
export function termsClient(locale: string): TermsClient {
  const known = clients.get(locale);
  if (known) return known;
  const client = createTermsClient({ locale, fetch: authorisedFetch });
  const remembering: TermsClient = {
    ...client,
    async fetchTerms(query) {
      const terms = await client.fetchTerms(query);
      for (const term of terms) seen.set(term.id, term);
      return terms;
    },
  };
  clients.set(locale, remembering);
  return remembering;
}

export function seenTerm(id: number): Term | undefined {
  return seen.get(id);
}
