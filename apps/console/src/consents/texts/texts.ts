import { pageTexts } from "../../language/page-texts";
import type { DocumentCheck, Outcome, StepName } from "../check";

type StepTexts = Readonly<Record<"title" | Outcome, string>>;

export interface ConsentsTexts {
  readonly title: string;
  readonly intro: (zone: string) => string;
  readonly tabs: Readonly<Record<"label" | "decisions", string>>;

  readonly term: string;
  readonly anyTerm: string;
  readonly termNumber: (id: string) => string;
  readonly version: (version: string) => string;
  readonly type: string;
  readonly anyType: string;
  readonly decision: string;
  readonly anyDecision: string;
  readonly accepted: string;
  readonly refused: string;
  readonly user: string;
  readonly since: string;
  readonly until: string;
  readonly clear: string;
  readonly recorded: string;
  readonly onDevice: (instant: string) => string;
  readonly who: string;
  readonly applicant: string;
  readonly erased: string;
  readonly evidence: string;
  readonly evidences: Readonly<Record<string, string>>;
  readonly receipt: string;
  readonly shown: (decisions: string) => string;
  readonly none: string;
  readonly noneHint: string;
  readonly nothing: string;
  readonly nothingHint: string;

  readonly unsupported: string;
  readonly verifyIntro: string;
  readonly drop: string;
  readonly choose: string;
  readonly tooLarge: string;
  readonly paste: string;
  readonly check: string;
  readonly whose: string;
  readonly whoseHint: string;
  readonly checkPerson: string;
  readonly verifyAnother: string;
  readonly files: Readonly<Record<"pdf" | "json" | "tlog-proof", string>>;
  readonly verdictGood: string;
  readonly verdictGoodHint: string;
  readonly verdictBad: string;
  readonly verdictBadHint: string;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly steps: Readonly<Record<StepName, StepTexts>>;
  readonly documentStates: Readonly<Record<DocumentCheck["state"], string>>;
  readonly content: string;
  readonly exactText: string;
  readonly by: string;
  readonly rider: string;
  readonly place: string;
  readonly placeOf: (place: string, size: string) => string;

  readonly logName: string;
  readonly logTitle: string;
  readonly logHint: string;
  readonly size: string;
  readonly lastEntry: string;
  readonly noEntry: string;
  readonly root: string;
  readonly vkey: string;
  readonly verification: string;
  readonly noFaults: string;
  readonly faults: (faults: string) => string;
  readonly neverVerified: string;
  readonly verifiedAt: (instant: string, entries: string) => string;
  readonly newSince: (entries: string) => string;
  readonly verifyHow: string;
  readonly copy: string;
  readonly checkpoint: string;
  readonly checkpointHint: string;
  readonly downloadCheckpoint: string;
  readonly earlier: string;
  readonly earlierHint: string;
}

export const useConsentsTexts = pageTexts<ConsentsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
