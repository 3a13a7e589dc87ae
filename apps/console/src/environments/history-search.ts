/** Which two versions are compared; the one before, where the older is not said. */
export interface HistorySearch {
  readonly version?: number;
  readonly against?: number;
}

export function readHistorySearch(search: Record<string, unknown>): HistorySearch {
  const number = (name: string) => {
    const value = Number(search[name] ?? Number.NaN);
    return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  };
  const [version, against] = [number("version"), number("against")];
  return {
    ...(version !== undefined && { version }),
    ...(version !== undefined && against !== undefined && { against }),
  };
}
