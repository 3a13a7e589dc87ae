import type { FlagsDocument } from "../document/document";

/** Whether a change does nothing else than to switch flags off, which nobody has to approve. */
export function switchesOnlyOff(before: FlagsDocument, after: FlagsDocument): boolean {
  const former = new Map(before.flags.map((flag) => [flag.key, flag]));
  const flags = after.flags.map((flag) => {
    const on = former.get(flag.key)?.on;
    return flag.on || on === undefined ? flag : { ...flag, on };
  });
  return JSON.stringify(before) === JSON.stringify({ ...after, flags });
}
