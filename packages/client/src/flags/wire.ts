import type { FlagResult, FlagValue } from "./flag-client";

/** What the service answers for one flag: v1 says less than v2, and v2 less than v3. */
export type WireResult = Partial<FlagResult> & Pick<FlagResult, "explanation">;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const isResult = (value: unknown): value is WireResult =>
  isObject(value) && isObject(value.explanation) && typeof value.explanation.kind === "string";

/** Whole, whatever the version of the API; nothing where it is no result at all. */
export function readResult(value: unknown, version?: number): FlagResult | undefined {
  if (!isResult(value)) return undefined;
  const { variation = null, abTest, explanation, ...rest } = value;
  return {
    relevantContext: [],
    holdoutsEvaluations: [],
    ...(version !== undefined && { version }),
    ...rest,
    variation,
    abTest: Boolean(abTest ?? explanation.kind === "AB_TEST"),
    explanation,
  };
}

export interface WireResults {
  readonly results: ReadonlyMap<string, FlagResult>;
  /** Of the configuration, which only v3 tells. */
  readonly version: number | undefined;
}

export function readResults(body: unknown): WireResults | undefined {
  if (!isObject(body)) return undefined;
  const v3 = isObject(body.flags) && !isResult(body.flags);
  const version = v3 && typeof body.version === "number" ? body.version : undefined;
  const results = new Map<string, FlagResult>();
  for (const [key, value] of Object.entries(v3 ? (body.flags as object) : body)) {
    const result = readResult(value, version);
    if (result) results.set(key, result);
  }
  return { results, version };
}

export function readKeys(body: unknown): string[] | undefined {
  const keys = isObject(body) && !Array.isArray(body) ? body.keys : body;
  if (!Array.isArray(keys)) return undefined;
  return keys
    .map((entry) => (isObject(entry) ? entry.key : entry))
    .filter((key) => typeof key === "string");
}

export function unanswered(from: string): FlagResult<null> {
  return {
    variation: null,
    abTest: false,
    explanation: { kind: "FALLBACK", from },
    relevantContext: [],
    holdoutsEvaluations: [],
  };
}

/** The caller's own value, where there is none; why there is none is kept. */
export function withFallback<T extends FlagValue>(result: FlagResult, fallback: T): FlagResult {
  const usable = result.variation !== null && result.explanation.kind !== "ERROR";
  return usable ? result : { ...result, variation: fallback };
}
