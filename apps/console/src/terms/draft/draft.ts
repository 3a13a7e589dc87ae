import type { Wire } from "../../api/wire";

/** Null and absent mean the same in a draft, and the server answers with neither. */
type Said<T> = T extends readonly (infer Item)[]
  ? readonly Said<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Said<Exclude<T[Name], null>> }
    : T;

type Always<T, Name extends keyof T> = Said<T> & {
  readonly [Always in Name]-?: Said<NonNullable<T[Always]>>;
};

export type Finding = Said<Wire<"DocumentFinding">>;
export type DraftDocument = Said<Wire<"DraftDocument">>;
export type DraftVariant = Always<Wire<"DraftVariant">, "title">;

type Variants = { readonly variants: readonly DraftVariant[] };

/** What a draft says, as it is sent and answered. */
export type DraftBody = Omit<
  Always<Wire<"DraftBody">, "type" | "mandatory" | "minor">,
  "variants"
> &
  Variants;
export type Draft = Omit<Always<Wire<"Draft">, "type" | "mandatory" | "minor">, "variants"> &
  Variants;

/** The server says all of a draft, also what may be left out of one that it is sent. */
export const whole = (draft: Wire<"Draft">) => draft as Draft;

export const emptyDraft: DraftBody = { type: "", mandatory: true, minor: false, variants: [] };

/** Without what only the server knows. */
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

/** With the documents that the server has: they come by uploads and never by typing. */
export function withDocumentsOf(body: DraftBody, of: DraftBody): DraftBody {
  const variants = body.variants.map(({ document: _former, ...variant }) => {
    const stored = of.variants.find(({ locale }) => locale === variant.locale)?.document;
    return stored ? { ...variant, document: stored } : variant;
  });
  return { ...body, variants };
}

type Change<Of> = { readonly [Name in keyof Of]?: Of[Name] | undefined };

/** With what is changed; a field that is undefined goes. */
export function changed<Of extends object>(what: Of, change: Change<Of>): Of {
  const entries = Object.entries({ ...what, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Of;
}

export const changedVariant = (
  body: DraftBody,
  locale: string,
  change: Change<DraftVariant>,
): DraftBody => ({
  ...body,
  variants: body.variants.map((it) => (it.locale === locale ? changed(it, change) : it)),
});
