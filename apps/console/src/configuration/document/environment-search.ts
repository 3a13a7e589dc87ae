import { type Address, address, text } from "../../routes/address";

/** A valid name of an environment. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Reads the environment from the address of a page about flags. */
export const readEnvironmentSearch = address({ env: text(NAME) });
export type EnvironmentSearch = Address<typeof readEnvironmentSearch>;

/** Returns the environment from the address; otherwise the last one shown, `production`, or the first. */
export function chooseEnvironment(
  names: readonly string[],
  requested: string | undefined,
  remembered: string | undefined,
): string {
  const first = names.includes("production") ? "production" : (names[0] ?? "");
  return (
    [requested, remembered].find((name) => name !== undefined && names.includes(name)) ?? first
  );
}
