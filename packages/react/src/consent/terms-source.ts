import type { ConsentList, Term, TermsQuery } from "@musette/client/terms";

export interface TermsSource {
  /** Keeps apart answers for one address that come from different functions of the host. */
  readonly scope: readonly unknown[];
  fetchTerms(query: TermsQuery): Promise<readonly Term[]>;
  fetchConsents(userId: string): Promise<ConsentList>;
}
