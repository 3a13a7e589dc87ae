import type { Schema } from "../api";

type Shown = "id" | "title" | "content" | "mandatory" | "display_order";

/**
 * One version of one document, in one language, as `GET /terms` lists it. A host's own fetching may leave
 * out everything but id, title, content, mandatory and display_order.
 */
export interface Term
  extends Pick<Schema<"TermBody">, Shown>,
    Partial<Omit<Schema<"TermBody">, Shown>> {}

/** A version that a newer one has replaced, in the language of the newer one where it has that. */
export type EarlierVersion = Schema<"EarlierVersion">;

/** The ids of this version and those before it, newest first. */
export function versionIds({ id, replaces, earlier_versions }: Term): readonly number[] {
  const earlier = earlier_versions?.map((version) => version.id);
  return [id, ...(earlier ?? (replaces === undefined ? [] : [replaces]))];
}

/** The type of terms that is asked for where none is named. */
export const DEFAULT_TERMS_TYPE = "FREELANCER";

/** Marketing is always asked together with the type of the work itself. */
export function askedTypes(termsType: string): string {
  return `${encodeURIComponent(termsType)},MARKETING`;
}

/** Sorts by `display_order`, then by id, as the server does. */
export function sortTerms(terms: readonly Term[]): readonly Term[] {
  return [...terms].sort((a, b) => a.display_order - b.display_order || a.id - b.id);
}

/** A proxy's sign-in page with status 200 must not read as "nothing to agree to". */
export function asTerms(answer: unknown): readonly Term[] {
  if (!Array.isArray(answer)) throw new TypeError("The terms are not a list");
  return answer;
}
