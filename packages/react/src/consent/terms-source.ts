import type { ConsentList, Term, TermsQuery } from "@musette/client/terms";

export interface TermsSource {
  /** Tells apart what is kept under the same address but comes from different hands. */
  readonly scope: readonly unknown[];
  fetchTerms(query: TermsQuery): Promise<readonly Term[]>;
  fetchConsents(userId: string): Promise<ConsentList>;
}
