import { pageTexts } from "../../language/page-texts";

/** Names of arms and metrics are given isolated; numbers are written already. */
export interface ResultsTexts {
  readonly people: string;
  readonly peopleHint: (unit: string) => string;
  readonly arm: string;
  readonly count: string;
  readonly share: string;
  readonly expected: string;
  readonly all: (count: string) => string;
  readonly noWeight: string;
  readonly ratioGood: (p: string) => string;
  readonly ratioEarly: string;
  readonly ratioOff: string;
  readonly ratioOffText: (p: string) => string;
  readonly ratioCauses: readonly string[];
  readonly twice: (count: string, share: string) => string;
  readonly twiceOff: string;
  readonly twiceOffText: (count: string, share: string) => string;
  readonly asOf: (time: string) => string;
  readonly since: (from: string, to: string) => string;
  readonly metric: string;
  readonly metricHint: string;
  readonly metricField: string;
  readonly metricNone: string;
  readonly metricNoneHint: string;
  readonly show: string;
  readonly goal: string;
  readonly goals: { readonly higher: string; readonly lower: string };
  readonly measure: string;
  readonly measures: { readonly mean: string; readonly proportion: string };
  readonly phase: string;
  readonly phaseName: (phase: string) => string;
  readonly phaseNow: (phase: string) => string;
  readonly baseline: string;
  readonly mean: string;
  readonly proportion: string;
  readonly difference: string;
  readonly interval: string;
  readonly lift: string;
  readonly range: (low: string, high: string) => string;
  readonly points: (written: string) => string;
  readonly reported: (count: string, all: string) => string;
  readonly cuped: string;
  readonly cupedHint: string;
  readonly always: string;
  readonly between: (low: string, high: string) => string;
  /** With `between`. */
  readonly better: (arm: string, between: string) => string;
  readonly worse: (arm: string, between: string) => string;
  /** With `range`. */
  readonly notYet: (arm: string, range: string) => string;
  readonly noData: (arm: string) => string;
  readonly noBaseline: (baseline: string) => string;
  readonly silent: (metric: string) => string;
  readonly unreadableRatio: string;
  readonly unreadableTwice: string;
  readonly readings: Readonly<
    Record<"better" | "worse" | "not_yet" | "no_data" | "unreadable", string>
  >;
  readonly nobody: string;
  readonly nobodyText: string;
  readonly sendClient: string;
  readonly sendServer: string;
  readonly sendMetric: string;
  readonly warnings: Readonly<Record<"sample_ratio_mismatch" | "multiple_exposures", string>>;
}

export const useResultsTexts = pageTexts<ResultsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
