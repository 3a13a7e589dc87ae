import { type Address, address, text } from "../../routes/address";

/** What an environment may be called. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Which environment a page shows: it stands in the address of every page about flags. */
export const readEnvironmentSearch = address({ env: text(NAME) });
export type EnvironmentSearch = Address<typeof readEnvironmentSearch>;

/** What the address says, or else what was shown last, or else what most come for. */
export function chooseEnvironment(
  names: readonly string[],
  asked: string | undefined,
  remembered: string | undefined,
): string {
  const first = names.includes("production") ? "production" : (names[0] ?? "");
  return [asked, remembered].find((name) => name !== undefined && names.includes(name)) ?? first;
}
