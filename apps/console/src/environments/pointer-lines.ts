/** Where each value of a JSON text begins: by its pointer, the offset. Undefined when it is no JSON. */
export function pointerOffsets(text: string): ReadonlyMap<string, number> | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const offsets = new Map<string, number>();
  let at = 0;
  const space = () => {
    while (/\s/.test(text[at] ?? "")) at++;
  };
  const string = (): string => {
    const start = at++;
    while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at++;
    return JSON.parse(text.slice(start, at));
  };
  // The text is known to be JSON: nothing here has to doubt it.
  const value = (pointer: string): void => {
    space();
    offsets.set(pointer, at);
    const open = text[at];
    if (open === "{" || open === "[") list(pointer, open === "{");
    else if (open === '"') string();
    else while (at < text.length && !/[\s,\]}]/.test(text[at] ?? "")) at++;
  };
  const list = (pointer: string, isObject: boolean): void => {
    at++;
    space();
    for (let index = 0; text[at] !== "}" && text[at] !== "]"; index++) {
      let name = String(index);
      if (isObject) {
        name = string().replaceAll("~", "~0").replaceAll("/", "~1");
        space();
        at++;
      }
      value(`${pointer}/${name}`);
      space();
      if (text[at] === ",") at++;
      space();
    }
    at++;
  };
  value("");
  return offsets;
}

/** Where a fault is to be shown: at the nearest that is there, since what is missing has no place. */
export function offsetOf(offsets: ReadonlyMap<string, number>, pointer: string): number {
  for (let it = pointer; it !== ""; it = it.slice(0, it.lastIndexOf("/"))) {
    const offset = offsets.get(it);
    if (offset !== undefined) return offset;
  }
  return 0;
}

export const lineOf = (text: string, offset: number): number =>
  text.slice(0, offset).split("\n").length;
