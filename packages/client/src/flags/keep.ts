import type { Managers } from "./managers";

/**
 * Reads a value out of local storage, or writes it and tells whether it did. Never throws: nothing
 * where there is none.
 */
export type Keep = (key: string, value?: unknown) => unknown;

export function createKeep({ marks }: Managers, unsupported: () => void): Keep {
  return (key, value) => {
    try {
      // Nothing there is null, which reads as "null".
      if (value === undefined) return JSON.parse(marks.read(key) as string);
      marks.write(key, JSON.stringify(value));
      return true;
    } catch (error) {
      // Full is no lack of support; nor is what somebody else has written there.
      if (value === undefined && !(error instanceof SyntaxError)) unsupported();
      return undefined;
    }
  };
}
