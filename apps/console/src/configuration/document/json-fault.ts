export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly detail: string;
}

/** Where a text stops being JSON, counted from 1; undefined when it is some. */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const detail = error instanceof Error ? error.message : "";
    const before = text.slice(0, stopOf(text)).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, detail };
  }
}

const SPACE = /[ \t\n\r]*/y;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a text
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;

/** How far it is JSON. Browsers say that each in their own way, and some not at all. */
function stopOf(text: string): number {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found !== null;
  };
  const takeOne = (sign: string): boolean => {
    take(SPACE);
    if (text[at] !== sign) return false;
    at++;
    return true;
  };
  const member = (): boolean => {
    take(SPACE);
    return take(TEXT) && takeOne(":") && value();
  };
  const list = (close: string, item: () => boolean): boolean => {
    if (takeOne(close)) return true;
    do {
      if (!item()) return false;
    } while (takeOne(","));
    return takeOne(close);
  };
  const value = (): boolean => {
    take(SPACE);
    if (takeOne("{")) return list("}", member);
    if (takeOne("[")) return list("]", value);
    return take(TEXT) || take(LITERAL);
  };
  value();
  take(SPACE);
  return at;
}
