import type { AttributeType, Json } from "../../configuration/document/document";
import { storedValue } from "../../storage/storage";

/** The typed attributes of a person. Empty fields are absent. */
export type Person = Readonly<Record<string, string>>;

export interface Example {
  readonly name: string;
  readonly person: Person;
}

const LAST = "musette.console.person";
const EXAMPLES = "musette.console.people";

const storedPerson = storedValue(LAST, (value) =>
  isRecord(value) ? (value as Person) : undefined,
);
const storedExamples = storedValue(EXAMPLES, (value) =>
  Array.isArray(value) ? (value as readonly Example[]) : undefined,
);

const isRecord = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every((value) => typeof value === "string");

export const lastPerson = (): Person => storedPerson.read() ?? { userId: "demo-rider-1" };
export const storePerson = storedPerson.write;

export const examples = (): readonly Example[] => storedExamples.read() ?? [];
export const storeExamples = storedExamples.write;

/**
 * Returns the attributes as an application would send them. A value that does not match its type is
 * sent as a string.
 */
export function attributesFrom(
  person: Person,
  types: ReadonlyMap<string, AttributeType>,
): Readonly<Record<string, Json>> {
  const entries = Object.entries(person).filter(([, text]) => text.trim() !== "");
  return Object.fromEntries(entries.map(([name, text]) => [name, readAs(types.get(name), text)]));
}

function readAs(type: AttributeType | undefined, text: string): Json {
  const number = (text: string): Json => (Number.isFinite(Number(text)) ? Number(text) : text);
  const list = text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  if (type === "number") return number(text);
  if (type === "boolean") return text === "true";
  if (type === "string[]") return list;
  return type === "number[]" ? list.map(number) : text;
}
