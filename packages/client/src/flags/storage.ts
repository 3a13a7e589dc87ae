import type { Managers } from "./managers";

/**
 * Reads a JSON value from local storage. With a second argument, writes it and returns true, or undefined
 * if the write failed. Never throws. A read returns undefined if storage is blocked or the text is not JSON.
 */
export type JsonStorage = (key: string, value?: unknown) => unknown;

export function createJsonStorage(
  { storage }: Pick<Managers, "storage">,
  warn: () => void,
): JsonStorage {
  return (key, value) => {
    try {
      // A missing key reads as `null`, which JSON.parse returns as null.
      if (value === undefined) return JSON.parse(storage.read(key) as string);
      storage.write(key, JSON.stringify(value));
      return true;
    } catch (error) {
      // No warning for a full storage or for text of another program: storage works in both cases.
      if (value === undefined && !(error instanceof SyntaxError)) warn();
      return undefined;
    }
  };
}
