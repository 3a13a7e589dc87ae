import type { FlagsDocument } from "../document/document";

/** Whether a change only switches flags off, which needs no approval. */
export function onlySwitchesOff(before: FlagsDocument, after: FlagsDocument): boolean {
  const former = new Map(before.flags.map((flag) => [flag.key, flag]));
  const flags = after.flags.map((flag) => {
    const on = former.get(flag.key)?.on;
    return flag.on || on === undefined ? flag : { ...flag, on };
  });
  return JSON.stringify(before) === JSON.stringify({ ...after, flags });
}
