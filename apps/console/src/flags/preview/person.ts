import type { AttributeType, Json } from "../../configuration/document/document";
import { readStored, writeStored } from "../../storage/storage";

/** What is known of somebody, as it was typed; nothing where nothing was. */
export type Person = Readonly<Record<string, string>>;

export interface Example {
  readonly name: string;
  readonly person: Person;
}

const LAST = "musette.console.person";
const EXAMPLES = "musette.console.people";

function read<T>(key: string, fallback: T, is: (value: unknown) => boolean): T {
  try {
    const value: unknown = JSON.parse(readStored(key) ?? "null");
    return is(value) ? (value as T) : fallback;
  } catch {
    return fallback;
  }
}

const isRecord = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every((it) => typeof it === "string");

export const lastPerson = (): Person => read(LAST, { userId: "demo-rider-1" }, isRecord);
export const keepPerson = (person: Person) => writeStored(LAST, JSON.stringify(person));

export const examples = (): readonly Example[] =>
  read<readonly Example[]>(EXAMPLES, [], Array.isArray);
export const keepExamples = (them: readonly Example[]) =>
  writeStored(EXAMPLES, JSON.stringify(them));

/** As an application would send them. What cannot be read as its type is sent as it stands. */
export function attributesFrom(
  person: Person,
  types: ReadonlyMap<string, AttributeType>,
): Readonly<Record<string, Json>> {
  const entries = Object.entries(person).filter(([, text]) => text.trim() !== "");
  return Object.fromEntries(entries.map(([name, text]) => [name, readAs(types.get(name), text)]));
}

function readAs(type: AttributeType | undefined, text: string): Json {
  const number = (it: string): Json => (Number.isFinite(Number(it)) ? Number(it) : it);
  const list = text
    .split(",")
    .map((it) => it.trim())
    .filter(Boolean);
  if (type === "number") return number(text);
  if (type === "boolean") return text === "true";
  if (type === "string[]") return list;
  return type === "number[]" ? list.map(number) : text;
}
