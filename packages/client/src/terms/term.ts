/** One version of one document, in one language, as `GET /terms` lists it. */
export interface Term {
  readonly id: number;
  readonly title: string;
  /** A link to the document. */
  readonly content: string;
  readonly mandatory: boolean;
  readonly display_order: number;
  // A host's own fetching may leave out all of these.
  readonly type?: string;
  readonly version?: number;
  /** What the document calls this version, such as 1.1; the counter only where there is none. */
  readonly label?: string | null;
  readonly locale?: string;
  readonly sha256?: string;
  readonly effective_from?: string;
  readonly grace_until?: string;
  readonly replaces?: number;
  readonly material?: boolean;
  /** What has changed, in the publisher's words. */
  readonly summary?: string;
  /** The versions before this one, the newest first. */
  readonly earlier_versions?: readonly EarlierVersion[];
}

/** A version that a newer one has replaced, in the language of the newer one where it has that. */
export interface EarlierVersion {
  readonly id: number;
  readonly version: number;
  readonly label?: string | null;
  readonly locale: string;
  readonly sha256: string;
  readonly material: boolean;
  readonly summary?: string;
}

/** Of this version and those before it, the newest first. */
export function versionIds({ id, replaces, earlier_versions }: Term): readonly number[] {
  const earlier = earlier_versions?.map((version) => version.id);
  return [id, ...(earlier ?? (replaces === undefined ? [] : [replaces]))];
}

export const DEFAULT_TERMS_TYPE = "FREELANCER";

/** Marketing is always asked together with the type of the work itself. */
export function askedTypes(termsType: string): string {
  return `${encodeURIComponent(termsType)},MARKETING`;
}

export function sortTerms(terms: readonly Term[]): readonly Term[] {
  return [...terms].sort((a, b) => a.display_order - b.display_order || a.id - b.id);
}

/** A proxy's sign-in page with status 200 must not read as "nothing to agree to". */
export function asTerms(answer: unknown): readonly Term[] {
  if (!Array.isArray(answer)) throw new TypeError("The terms are not a list");
  return answer;
}
