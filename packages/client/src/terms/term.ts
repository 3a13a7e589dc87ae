import type { Schema } from "../api";

type RequiredField = "id" | "title" | "content" | "mandatory" | "display_order";

/**
 * One version of one document in one language, as in `GET /terms`. A host that fetches terms by itself needs
 * only id, title, content, mandatory and display_order.
 */
export interface Term
  extends Pick<Schema<"TermBody">, RequiredField>,
    Partial<Omit<Schema<"TermBody">, RequiredField>> {}

/** A version that a newer version has replaced, in the language of the newer version if available. */
export type EarlierVersion = Schema<"EarlierVersion">;

/** Returns the ids of this version and the earlier versions, newest first. */
export function versionIds({ id, replaces, earlier_versions }: Term): readonly number[] {
  const earlier = earlier_versions?.map((version) => version.id);
  return [id, ...(earlier ?? (replaces === undefined ? [] : [replaces]))];
}

/** The default type of terms. */
export const DEFAULT_TERMS_TYPE = "FREELANCER";

/** Returns the value of the parameter `types`: the given type and marketing, which are always queried together. */
export function askedTypes(termsType: string): string {
  return `${encodeURIComponent(termsType)},MARKETING`;
}

/** Sorts by `display_order`, then by id, as the server does. */
export function sortTerms(terms: readonly Term[]): readonly Term[] {
  return [...terms].sort((a, b) => a.display_order - b.display_order || a.id - b.id);
}

/**
 * Returns the terms of a response.
 *
 * @throws TypeError if the response is not a list, such as a proxy's sign-in page with status 200. Otherwise it
 * would count as "no terms".
 */
export function asTerms(response: unknown): readonly Term[] {
  if (!Array.isArray(response)) throw new TypeError("The response is not a list of terms");
  return response;
}
