import type { FlagClientOptions } from "./flag-client";

/** Returns the address of the service without a slash at its end. */
export function baseAddress({ baseUrl, region, regions }: FlagClientOptions): string {
  const base = baseUrl ?? (region ? regions?.[region] : "/api/flags");
  if (base === undefined)
    throw new Error(`The option "regions" has no address for the region "${region}"`);
  return base.replace(/\/+$/, "");
}
