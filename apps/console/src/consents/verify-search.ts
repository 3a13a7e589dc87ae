/** Which receipt of ours is checked; one from a file stands in no address. */
export interface VerifySearch {
  readonly receipt?: string;
}

export function readVerifySearch({ receipt }: Record<string, unknown>): VerifySearch {
  return typeof receipt === "string" && /^[\w-]{1,200}$/.test(receipt) ? { receipt } : {};
}
