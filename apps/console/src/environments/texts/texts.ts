import type { StaleReason } from "../../configuration/document/stale-query";
import { pageTexts } from "../../language/page-texts";
import type { PlannedChange } from "../changes-query";

export interface EnvironmentsTexts {
  readonly owner: string;
  readonly older: string;
  readonly discard: string;

  readonly historyTitle: string;
  readonly historyIntro: (zone: string) => string;
  readonly noHistory: string;
  readonly noHistoryHint: string;
  readonly noComment: string;
  readonly byItself: string;
  readonly current: string;
  readonly compared: string;
  readonly from: string;
  readonly to: string;
  readonly closeCompared: string;
  readonly goBackTo: (version: string) => string;
  readonly goBackComment: (version: string) => string;

  readonly plannedTitle: string;
  readonly plannedIntro: (zone: string) => string;
  readonly newPlan: string;
  readonly noPlans: string;
  readonly noPlansHint: string;
  readonly statuses: Readonly<Record<PlannedChange["status"], string>>;
  readonly plannedBy: (author: string, at: string) => string;
  readonly refusedBecause: string;
  readonly whatChanges: string;
  readonly cancelPlan: string;
  readonly cancelTitle: string;
  readonly cancelText: (at: string) => string;
  readonly cancelled: string;
  readonly copyAll: string;
  readonly copyAllTitle: (to: string) => string;
  readonly copyAllHint: string;
  readonly copyFrom: string;
  readonly copyAllComment: (from: string, version: string) => string;
  readonly copiedAll: (from: string, to: string) => string;

  readonly staleTitle: string;
  readonly staleIntro: string;
  readonly why: string;
  readonly asked: string;
  readonly reasons: Readonly<Record<StaleReason, (days: string, variation: string) => string>>;
  readonly noStale: string;
  readonly noStaleHint: (days: string) => string;

  readonly jsonTitle: string;
  readonly jsonIntro: string;
  readonly jsonRestored: string;
  readonly noJson: (line: string, column: string) => string;
  readonly line: (line: string) => string;
  readonly noFaults: string;
  readonly check: string;
  readonly review: string;
  readonly savedAs: (version: string) => string;
  readonly import: string;
  readonly export: string;
  readonly flag: string;
  readonly showChanges: string;
  readonly reverted: (version: string) => string;
}

export const useEnvironmentsTexts = pageTexts<EnvironmentsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
