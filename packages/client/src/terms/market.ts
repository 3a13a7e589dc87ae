interface WithCode {
  readonly problem?: { readonly code?: string };
  readonly response?: { readonly data?: { readonly code?: string } };
}

/** Whether the server said that it does not know the market: an error of this package, or of axios. */
export function isUnknownMarket(error: unknown): boolean {
  const { problem, response } = (error ?? {}) as WithCode;
  return (problem?.code ?? response?.data?.code) === "unknown_market";
}

/** Says it to the developer of the page that names the market, and passes the error on. */
export function explainUnknownMarket(market: string | undefined): (error: unknown) => never {
  return (error) => {
    if (isUnknownMarket(error)) {
      console.error(
        `Musette: unknown market "${market}". Use a country (DE), a subdivision (DE-BE), or a declared place (DE-BE.berlin).`,
      );
    }
    throw error;
  };
}
