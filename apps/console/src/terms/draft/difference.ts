import type { DraftBody } from "./draft";

/** All fields of a draft, checked by the compiler: a field that is not compared would not be saved. */
const PLAIN = {
  type: true,
  kind: true,
  market: true,
  instead_of: true,
  mandatory: true,
  display_order: true,
  effective_from: true,
  grace_until: true,
  replaces: true,
  minor: true,
  summary: true,
  label: true,
  unreadable_ok: true,
  active_content_ok: true,
} satisfies Record<Exclude<keyof DraftBody, "variants">, true>;
const plain = Object.keys(PLAIN) as readonly (keyof typeof PLAIN)[];

export type PlainField = keyof typeof PLAIN | "default_language";
/** A field of a draft, or of one of its languages. */
export type Field = PlainField | `${"title" | "summary"}:${string}`;

type Value = string | number | boolean | undefined;
export type Side = "mine" | "theirs";

export interface Difference {
  readonly field: Field;
  readonly mine: Value;
  readonly theirs: Value;
  /** The side that changed it; mine if both did. */
  readonly preferred: Side;
}

const titleOf = (locale: string) => `title:${locale}` as const;
const summaryOf = (locale: string) => `summary:${locale}` as const;

function flat(body: DraftBody): Map<Field, Value> {
  const values = new Map<Field, Value>(plain.map((field) => [field, body[field]]));
  values.set("default_language", body.variants[0]?.locale);
  for (const { locale, title, summary } of body.variants) {
    values.set(titleOf(locale), title);
    values.set(summaryOf(locale), summary);
  }
  return values;
}

export const saysTheSame = (one: DraftBody, other: DraftBody) =>
  differences(one, one, other).length === 0;

/** Returns the differences between two versions of the same draft. */
export function differences(
  base: DraftBody,
  mine: DraftBody,
  theirs: DraftBody,
): readonly Difference[] {
  const [before, here, there] = [flat(base), flat(mine), flat(theirs)];
  return [...new Set([...there.keys(), ...here.keys()])]
    .filter((field) => here.get(field) !== there.get(field))
    .map((field) => ({
      field,
      mine: here.get(field),
      theirs: there.get(field),
      preferred: here.get(field) === before.get(field) ? "theirs" : "mine",
    }));
}

/** Returns their draft with the chosen parts of mine. */
export function merged(
  mine: DraftBody,
  theirs: DraftBody,
  chosen: ReadonlyMap<Field, Side>,
): DraftBody {
  const [mineFlat, result] = [flat(mine), flat(theirs)];
  for (const [field, side] of chosen) if (side === "mine") result.set(field, mineFlat.get(field));
  const locales = new Set([...theirs.variants, ...mine.variants].map(({ locale }) => locale));
  const variants = [...locales].flatMap((locale) => {
    const title = result.get(titleOf(locale));
    if (typeof title !== "string") return [];
    const summary = result.get(summaryOf(locale));
    const document = theirs.variants.find((variant) => variant.locale === locale)?.document;
    return [
      { locale, title, ...(summary !== undefined && { summary }), ...(document && { document }) },
    ];
  });
  const first = result.get("default_language");
  variants.sort((a, b) => Number(b.locale === first) - Number(a.locale === first));
  const fields = plain.map((field) => [field, result.get(field)] as const);
  const body = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  return { ...body, variants } as unknown as DraftBody;
}
