import { pageTexts } from "../../language/page-texts";
import type { Fault } from "../draft";
import type { PhaseName } from "../holdouts-search";

/** Names are given isolated; numbers and times are written already. */
export interface HoldoutsTexts {
  readonly title: string;
  readonly intro: string;
  readonly create: string;
  readonly key: string;
  readonly phase: string;
  readonly anyPhase: string;
  readonly phases: Readonly<Record<PhaseName, string>>;
  readonly size: string;
  readonly applies: string;
  readonly people: string;
  readonly next: string;
  readonly shown: (count: string) => string;
  readonly none: string;
  readonly noneHint: string;
  readonly nothing: string;
  readonly clear: string;
  readonly unknown: string;
  readonly unknownText: string;
  readonly gone: string;
  readonly all: string;
  readonly edit: string;
  readonly noDescription: string;
  readonly groups: Readonly<Record<"HELD_OUT" | "COMPARISON", string>>;
  readonly rest: string;
  readonly group: string;
  readonly readingHint: string;
  readonly flags: (count: string) => string;
  readonly everything: string;
  readonly experiments: string;
  readonly except: (what: string, flags: string) => string;
  readonly starts: (at: string) => string;
  readonly analysis: (at: string) => string;
  readonly stops: (at: string) => string;
  readonly said: Readonly<Record<PhaseName, string>>;
  readonly deeds: Readonly<
    Record<"start" | "analysis" | "end", { readonly title: string; readonly text: string }>
  >;
  readonly saved: (version: string) => string;
  readonly form: FormTexts;
}

interface FormTexts {
  readonly newTitle: string;
  readonly editTitle: (key: string) => string;
  readonly intro: string;
  readonly what: string;
  readonly keyField: string;
  readonly keyHint: string;
  readonly description: string;
  readonly descriptionHint: string;
  readonly size: string;
  readonly sizeHint: string;
  readonly big: string;
  readonly unit: string;
  readonly unitHint: string;
  readonly population: string;
  readonly populationHint: string;
  readonly everybody: string;
  readonly some: string;
  readonly moves: string;
  readonly applies: string;
  readonly mode: string;
  readonly modes: { readonly global: string; readonly selected: string };
  readonly scope: string;
  readonly scopes: { readonly all: string; readonly experiments: string };
  readonly exceptFlags: string;
  readonly exceptHint: string;
  readonly flags: string;
  readonly tags: string;
  readonly add: string;
  readonly priority: string;
  readonly priorityHint: string;
  readonly schedule: string;
  readonly scheduleHint: (zone: string) => string;
  readonly startAt: string;
  readonly analysisAt: string;
  readonly stopAt: string;
  readonly happens: string;
  readonly heldOut: (percent: string, unit: string) => string;
  readonly compared: (percent: string) => string;
  readonly others: (percent: string) => string;
  readonly holdsBack: (count: string, flags: string) => string;
  readonly holdsNothing: string;
  readonly beats: string;
  readonly review: string;
  readonly start: string;
  readonly draft: string;
  readonly faults: Readonly<Record<Fault, string>>;
}

export const useHoldoutsTexts = pageTexts<HoldoutsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
