import type { ConsentList, Term, TermsQuery } from "@musette/client/terms";

export interface TermsSource {
  /** Part of the cache key. It separates responses of one address from different functions of the host. */
  readonly scope: readonly unknown[];
  fetchTerms(query: TermsQuery): Promise<readonly Term[]>;
  fetchConsents(userId: string): Promise<ConsentList>;
}
