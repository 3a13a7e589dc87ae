// The generated types are imported only here. The console has no other types for the API.
import type { components, paths } from "../../../../packages/client/src/api/schema";

export type Paths = paths;

/** Any JSON value: `unknown` in the generated types. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/** A deeply read-only type. */
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
