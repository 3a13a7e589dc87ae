import type { Managers } from "./managers";

/**
 * Reads a JSON value from local storage or, with a second argument, writes it and returns whether that
 * worked. Never throws; undefined where nothing is stored.
 */
export type JsonStorage = (key: string, value?: unknown) => unknown;

export function createJsonStorage(
  { storage }: Pick<Managers, "storage">,
  warn: () => void,
): JsonStorage {
  return (key, value) => {
    try {
      // `null`, which is what a missing key gives, parses as null.
      if (value === undefined) return JSON.parse(storage.read(key) as string);
      storage.write(key, JSON.stringify(value));
      return true;
    } catch (error) {
      // A full storage is supported all the same, and so is one with text of another program.
      if (value === undefined && !(error instanceof SyntaxError)) warn();
      return undefined;
    }
  };
}
