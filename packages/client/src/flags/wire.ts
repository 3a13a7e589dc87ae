import type { Schema } from "../api";
import type { FlagKind, FlagResult, FlagValue } from "./flag-client";

export function plainResult<T extends FlagValue>(
  kind: FlagKind,
  from: string,
  variation: T,
): FlagResult<T> {
  return {
    variation,
    abTest: false,
    explanation: { kind, from },
    relevantContext: [],
    holdoutsEvaluations: [],
  };
}

export const unanswered = (failure: string) => plainResult("FALLBACK", `client:${failure}`, null);

/** Returns whether the result has a value that the host may show and the client may store. */
export function hasValue({ variation, explanation: { kind } }: FlagResult): boolean {
  return variation !== null && kind !== "ERROR" && kind !== "FALLBACK";
}

/** A result of any API version. Its values are JSON. */
type WireResult = Partial<Schema<"ResultBody">> & Partial<FlagResult>;

/**
 * Reads results of any API version, by key. v1 does not list the attributes that a result depends on.
 * Such a result depends on every attribute that was sent.
 */
export function readResults(
  all: unknown,
  version: number | undefined,
  sent: readonly string[],
): Map<string, FlagResult> {
  const results = new Map<string, FlagResult>();
  for (const [key, result] of Object.entries((all ?? {}) as Record<string, WireResult | null>)) {
    if (!result?.explanation) continue;
    const { kind, from } = result.explanation;
    results.set(key, {
      ...plainResult(kind, from, null),
      relevantContext: sent,
      ...(version !== undefined && { version }),
      ...result,
      abTest: !!(result.abTest ?? kind === "AB_TEST"),
    });
  }
  return results;
}
