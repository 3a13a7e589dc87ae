interface ProblemLike {
  readonly code?: string;
  readonly detail?: string;
}

/** Returns the problem in an error of this package or of axios. */
function problemOf(error: unknown): ProblemLike {
  const { problem, response } = (error ?? {}) as {
    readonly problem?: ProblemLike;
    readonly response?: { readonly data?: ProblemLike };
  };
  return problem ?? response?.data ?? {};
}

/** Returns whether the server responded that it does not know the market. */
export const isUnknownMarket = (error: unknown) => problemOf(error).code === "unknown_market";

/** Logs how to correct a wrong market or proxy for the developer of the page, and rethrows the error. */
export function logSetupError(market: string | undefined): (error: unknown) => never {
  return (error) => {
    const { code, detail } = problemOf(error);
    if (code === "misdirected_request") console.error(`Musette: ${detail}`);
    if (code === "unknown_market") {
      console.error(
        `Musette: unknown market "${market}". Use a country (DE), a subdivision (DE-BE), or a declared place (DE-BE.berlin).`,
      );
    }
    throw error;
  };
}
