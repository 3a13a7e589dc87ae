import type { Wire } from "../../api/wire";

/** Null and absent mean the same in a draft, and the server answers with neither. */
type WithoutNull<T> = T extends readonly (infer Item)[]
  ? readonly WithoutNull<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: WithoutNull<Exclude<T[Name], null>> }
    : T;

type Always<T, Name extends keyof T> = WithoutNull<T> & {
  readonly [Always in Name]-?: WithoutNull<NonNullable<T[Always]>>;
};

export type Finding = WithoutNull<Wire<"DocumentFinding">>;
export type DraftDocument = WithoutNull<Wire<"DraftDocument">>;
export type DraftVariant = Always<Wire<"DraftVariant">, "title">;

type Variants = { readonly variants: readonly DraftVariant[] };

/** The content of a draft, as it is sent and returned. */
export type DraftBody = Omit<
  Always<Wire<"DraftBody">, "type" | "mandatory" | "minor">,
  "variants"
> &
  Variants;
export type Draft = Omit<Always<Wire<"Draft">, "type" | "mandatory" | "minor">, "variants"> &
  Variants;

/**
 * Narrows the type: the server returns all members of a draft, including those that are optional in
 * a request.
 */
export const asComplete = (draft: Wire<"Draft">) => draft as Draft;

export const emptyDraft: DraftBody = { type: "", mandatory: true, minor: false, variants: [] };

/** Returns the content without the members that the server sets. */
export function bodyOf({
  id: _id,
  revision: _revision,
  updated_at: _at,
  updated_by: _by,
  sha256: _sha256,
  approvals: _approvals,
  approvals_needed: _needed,
  rejection: _rejection,
  ...body
}: Draft): DraftBody {
  return body;
}

/** Returns the body with the server's documents, because only uploads change them. */
export function withDocumentsOf(body: DraftBody, of: DraftBody): DraftBody {
  const variants = body.variants.map(({ document: _former, ...variant }) => {
    const stored = of.variants.find(({ locale }) => locale === variant.locale)?.document;
    return stored ? { ...variant, document: stored } : variant;
  });
  return { ...body, variants };
}

type Change<Of> = { readonly [Name in keyof Of]?: Of[Name] | undefined };

/** Returns an object with changes. A member that is undefined is removed. */
export function withChanges<Of extends object>(what: Of, change: Change<Of>): Of {
  const entries = Object.entries({ ...what, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Of;
}

export const changedVariant = (
  body: DraftBody,
  locale: string,
  change: Change<DraftVariant>,
): DraftBody => ({
  ...body,
  variants: body.variants.map((variant) =>
    variant.locale === locale ? withChanges(variant, change) : variant,
  ),
});
