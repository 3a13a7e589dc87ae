// The one place where the generated types come in: whatever the API says has no other type here.
import type { components, paths } from "../../../../packages/client/src/api/schema";

export type Paths = paths;

/** Any value of JSON: what the document calls `unknown`. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/** As it is read: nothing that came over the wire is changed in place. */
export type Deep<T> = unknown extends T
  ? Json
  : T extends readonly (infer Item)[]
    ? readonly Deep<Item>[]
    : T extends object
      ? [T[keyof T]] extends [never]
        ? Readonly<Record<string, Json>>
        : { readonly [Name in keyof T]: Deep<T[Name]> }
      : T;

/** A schema of `openapi.json`, by its name there. */
export type Wire<Name extends keyof components["schemas"]> = Deep<components["schemas"][Name]>;
