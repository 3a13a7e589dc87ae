import type { components } from "./schema";

type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]: ReadonlyDeep<T[Member]> }
    : T;

/**
 * The type of a JSON value in requests and responses, by its name in `openapi.json`. It is generated from the
 * types of the server and read-only.
 *
 * @example
 * type Term = Schema<"TermBody">;
 */
export type Schema<Name extends keyof components["schemas"]> = ReadonlyDeep<
  components["schemas"][Name]
>;
