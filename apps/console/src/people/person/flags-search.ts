import type { Json } from "../../api/wire";
import { type Address, address, text } from "../../routes/address";

function attributes(value: unknown): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(typeof value === "object" ? { ...value } : {}).filter(
    (entry): entry is [string, string] =>
      entry[0] !== "" && typeof entry[1] === "string" && entry[1] !== "",
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The filters of a person's flags, which are in the address. */
export const readFlagsSearch = address({
  env: text(),
  q: text(),
  /** The typed attributes that an application would send in addition to the user id. */
  with: attributes,
});
export type FlagsSearch = Address<typeof readFlagsSearch>;

/** Returns typed JSON, such as a number, boolean or list, as its value; any other text as a string. */
export function attributeValue(typed: string): Json {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

export function evaluationAttributes(
  userId: string,
  given: Readonly<Record<string, string>> = {},
): Readonly<Record<string, Json>> {
  const entries = Object.entries(given).map(([name, typed]) => [name, attributeValue(typed)]);
  return { userId, ...Object.fromEntries(entries) };
}
