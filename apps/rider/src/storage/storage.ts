// A browser may forbid storage, or its storage may be full. The app then works, but keeps the
// values only for this page.

export type Area = "localStorage" | "sessionStorage";

const unstored = new Map<string, string>();

/** The area is passed by name: if storage is forbidden, even reading `localStorage` throws. */
export function readStored(area: Area, key: string): string | undefined {
  const value = unstored.get(`${area} ${key}`);
  if (value !== undefined) return value;
  try {
    return globalThis[area].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeStored(area: Area, key: string, value: string | undefined): void {
  unstored.delete(`${area} ${key}`);
  try {
    if (value === undefined) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, value);
  } catch {
    if (value !== undefined) unstored.set(`${area} ${key}`, value);
  }
}

/** Whether a value written under this key survives this page. */
export function survivesReload(area: Area, key: string): boolean {
  if (unstored.has(`${area} ${key}`)) return false;
  const probe = `${key}.probe`;
  writeStored(area, probe, "1");
  const stays = !unstored.has(`${area} ${probe}`);
  writeStored(area, probe, undefined);
  return stays;
}
