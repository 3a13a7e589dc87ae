interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** Whether the person pays for each byte, or waits long for it: then nothing is fetched ahead. */
export function isFrugal(): boolean {
  const { connection } = globalThis.navigator as { readonly connection?: Connection };
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? "");
}
