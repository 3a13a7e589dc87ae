import type { FlagSnapshot } from "@musette/client/flags";

export type RowStatus = FlagSnapshot["flags"][number]["status"];

/** Every word of the overlay; apart from `Texts`, since no rider has to load it. */
export interface OverlayTexts {
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  readonly title: string;
  readonly open: string;
  readonly close: string;
  readonly search: string;
  readonly nobody: string;
  readonly person: string;
  readonly version: string;
  readonly none: string;
  readonly why: string;
  readonly state: string;
  readonly status: Readonly<Record<RowStatus, string>>;
  readonly stored: string;
  readonly reads: string;
  readonly here: string;
  readonly asDecided: string;
  readonly apply: string;
  readonly reset: string;
  readonly resetAll: string;
  readonly changed: (n: number) => string;
  readonly noJson: string;
  readonly experiments: string;
  readonly holdouts: string;
  readonly phase: string;
  readonly group: Readonly<Record<"HELD_OUT" | "COMPARISON" | "GENERAL", string>>;
}
