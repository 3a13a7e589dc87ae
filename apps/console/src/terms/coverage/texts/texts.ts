import { pageTexts } from "../../../language/page-texts";
import type { Funnel } from "../coverage-query";

export interface CoverageTexts {
  readonly standing: string;
  readonly counted: (time: string) => string;
  readonly accepted: string;
  readonly refused: string;
  readonly withdrawn: string;
  readonly outstanding: string;
  readonly riders: string;
  readonly ofRiders: (agreed: string, riders: string, percent: string) => string;
  readonly applicants: string;
  readonly byDay: string;
  readonly chart: string;
  readonly asTable: string;
  readonly day: string;
  readonly chartHint: string;
  readonly utc: string;
  readonly range: string;
  readonly days: (count: number, written: string) => string;
  readonly noDecisions: string;
  readonly noDecisionsHint: string;
  readonly byLanguage: string;
  readonly byLanguageHint: string;
  readonly language: string;
  readonly unknownLanguage: string;
  readonly share: string;
  readonly funnel: string;
  readonly funnelHint: string;
  readonly funnelEmpty: string;
  readonly steps: Readonly<Record<keyof Funnel, string>>;
  readonly stepOf: (count: string, percent: string) => string;
  readonly missing: string;
  readonly missingCount: (count: number, written: string) => string;
  readonly search: string;
  readonly searchHint: string;
  readonly id: string;
  readonly name: string;
  readonly noName: string;
  readonly nobody: string;
  readonly nobodyHint: string;
  readonly noneFits: string;
  readonly export: string;
  readonly exporting: (count: string) => string;
  readonly exported: (count: string) => string;
  readonly exportFailed: string;
  readonly cancel: string;
}

export const useCoverageTexts = pageTexts<CoverageTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
