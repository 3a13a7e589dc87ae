interface Refused {
  readonly code?: string;
  readonly detail?: string;
}

/** What the server said: of an error of this package, or of axios. */
function refusedBy(error: unknown): Refused {
  const { problem, response } = (error ?? {}) as {
    readonly problem?: Refused;
    readonly response?: { readonly data?: Refused };
  };
  return problem ?? response?.data ?? {};
}

/** Whether the server said that it does not know the market. */
export const isUnknownMarket = (error: unknown) => refusedBy(error).code === "unknown_market";

/** Says to the developer of the page what to set, of the market or of a proxy, and passes the error on. */
export function explainSetUp(market: string | undefined): (error: unknown) => never {
  return (error) => {
    const { code, detail } = refusedBy(error);
    if (code === "misdirected_request") console.error(`Musette: ${detail}`);
    if (code === "unknown_market") {
      console.error(
        `Musette: unknown market "${market}". Use a country (DE), a subdivision (DE-BE), or a declared place (DE-BE.berlin).`,
      );
    }
    throw error;
  };
}
