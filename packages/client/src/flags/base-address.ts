import type { FlagClientOptions } from "./flag-client";

/** Where the service is, without a slash at its end. */
export function baseAddress({ baseUrl, region, regions }: FlagClientOptions): string {
  const base = baseUrl ?? (region ? regions?.[region] : "/api/flags");
  if (base === undefined) throw new Error(`No region ${region}`);
  return base.replace(/\/+$/, "");
}
