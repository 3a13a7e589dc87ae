interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** Returns whether the connection is metered (data saver) or slow (2G). Callers then prefetch nothing. */
export function isFrugal(): boolean {
  const { connection } = globalThis.navigator as { readonly connection?: Connection };
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? "");
}
