import type { ExperimentStatus } from "../../environment/document";
import { pageTexts } from "../../language/page-texts";

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
  readonly warnings: Readonly<Record<"sample_ratio_mismatch" | "multiple_exposures", string>>;
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

export const useExperimentsTexts = pageTexts<ExperimentsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
