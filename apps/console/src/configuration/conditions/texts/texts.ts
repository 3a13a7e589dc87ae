import { pageTexts } from "../../../language/page-texts";

export interface ConditionsTexts {
  readonly attribute: string;
  readonly not: string;
  readonly notHint: string;
  readonly all: string;
  readonly any: string;
  readonly howMany: string;
  readonly everybody: string;
  readonly nobody: string;
  readonly inSegment: string;
  readonly comparison: string;
  readonly value: string;
  readonly values: string;
  readonly lower: string;
  readonly upper: string;
  readonly and: string;
  readonly tokensHint: string;
  readonly removePart: string;
  readonly addTest: string;
  readonly addSegment: string;
  readonly addGroup: string;
  readonly segment: string;
  readonly remove: (what: string) => string;
}

export const useConditionsTexts = pageTexts<ConditionsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
