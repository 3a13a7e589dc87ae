import type { ExperimentStatus } from "../../configuration/document/document";
import { pageTexts } from "../../language/page-texts";
import type { Fault } from "../draft";

/** Names are given isolated; numbers are written already. */
export interface ExperimentsTexts {
  readonly title: string;
  readonly intro: string;
  readonly create: string;
  readonly find: string;
  readonly status: string;
  readonly anyStatus: string;
  readonly statuses: Readonly<Record<ExperimentStatus, string>>;
  readonly key: string;
  readonly flag: string;
  readonly arms: string;
  readonly people: string;
  readonly phase: (phase: string) => string;
  readonly flagOff: string;
  readonly shown: (count: string) => string;
  readonly none: string;
  readonly noneHint: string;
  readonly nothing: string;
  readonly nothingHint: string;
  readonly clear: string;
  readonly unknown: string;
  readonly unknownText: string;
  readonly gone: string;
  readonly all: string;
  readonly edit: string;
  readonly hypothesis: string;
  readonly hypothesisNone: string;
  readonly shipped: (winner: string) => string;
  readonly stopped: string;
  readonly draft: string;
  readonly flagIsOff: (flag: string) => string;
  readonly deeds: DeedTexts;
  readonly setUp: SetUpTexts;
}

interface DeedTexts {
  readonly start: string;
  readonly startAgain: string;
  readonly stop: string;
  readonly stopText: (fallback: string) => string;
  readonly ship: string;
  readonly shipText: string;
  readonly winner: string;
  readonly better: string;
  readonly notShown: string;
  readonly notShownText: string;
  readonly phase: string;
  readonly phaseText: string;
  readonly same: string;
  readonly sameText: string;
  readonly redrawn: string;
  readonly redrawnText: string;
  readonly next: string;
  readonly saved: (version: string) => string;
}

interface SetUpTexts {
  readonly newTitle: string;
  readonly newIntro: string;
  readonly editTitle: (key: string) => string;
  readonly what: string;
  readonly flagHint: string;
  readonly keyField: string;
  readonly keyHint: string;
  readonly hypothesisHint: string;
  readonly metric: string;
  readonly metricHint: string;
  readonly split: string;
  readonly splitHint: string;
  readonly weightOf: (arm: string) => string;
  readonly equal: string;
  readonly sum: (percent: string) => string;
  readonly who: string;
  readonly coverage: string;
  readonly coverageHint: string;
  readonly unit: string;
  readonly unitHint: string;
  readonly fallbackUnit: string;
  readonly fallbackHint: string;
  readonly none: string;
  readonly sticky: string;
  readonly stickyHint: string;
  readonly layer: string;
  readonly layerHint: string;
  readonly noLayer: string;
  readonly newLayer: string;
  readonly layerName: string;
  readonly from: string;
  readonly to: string;
  readonly place: string;
  readonly places: { readonly last: string; readonly first: string };
  readonly placeHint: string;
  readonly phase: string;
  readonly phaseHint: string;
  readonly happens: string;
  readonly reaches: (flag: string) => string;
  readonly when: (condition: string) => string;
  readonly part: (percent: string) => string;
  readonly partOfLayer: (percent: string, layer: string) => string;
  readonly others: (fallback: string) => string;
  readonly drawn: (unit: string) => string;
  readonly stays: string;
  readonly counted: (metric: string) => string;
  readonly notCounted: string;
  readonly heldOut: (holdouts: string) => string;
  readonly review: string;
  readonly start: string;
  readonly plan: string;
  readonly faults: Readonly<Record<Fault, string>>;
}

export const useExperimentsTexts = pageTexts<ExperimentsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
