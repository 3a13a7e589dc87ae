/** Parses one search parameter; undefined if it is invalid. */
type Read = (value: unknown) => unknown;

/** The search parameters of an address; absent if missing or invalid. */
export type Address<Reader extends (search: Record<string, unknown>) => unknown> =
  ReturnType<Reader>;

/**
 * Describes the search parameters of an address, for `validateSearch`. Without the parameter
 * `needs`, the others are ignored.
 */
export function address<Fields extends Readonly<Record<string, Read>>>(
  fields: Fields,
  needs?: keyof Fields & string,
) {
  type ParsedParameters = {
    readonly [Name in keyof Fields]?: NonNullable<ReturnType<Fields[Name]>>;
  };
  return (search: Record<string, unknown>): ParsedParameters => {
    const read = Object.entries(fields).map(([name, of]) => [name, of(search[name])] as const);
    const parameters = Object.fromEntries(read.filter(([, value]) => value !== undefined));
    return (needs === undefined || needs in parameters ? parameters : {}) as ParsedParameters;
  };
}

/**
 * Accepts a trimmed, non-empty text. The router parses bare numbers and booleans, so they are
 * accepted as well.
 */
export const text =
  (pattern = /./s) =>
  (value: unknown): string | undefined => {
    const typed = ["string", "number", "boolean"].includes(typeof value) ? `${value}`.trim() : "";
    return typed !== "" && pattern.test(typed) ? typed : undefined;
  };

export const oneOf =
  <const T>(...values: readonly T[]) =>
  (value: unknown): T | undefined =>
    values.find((allowed) => allowed === value);

/** Accepts a non-negative integer. */
export const count = (value: unknown): number | undefined =>
  /^\d{1,15}$/.test(`${value}`) ? Number(value) : undefined;
