// Generated from en.arb by tools/texts. Do not edit.

/** Every word of this catalogue. A language is one object of this shape. */
export interface Texts {
  /** The language of these words, as BCP 47 has it. */
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
  readonly status: {
    readonly fresh: string;
    readonly cached: string;
    readonly fallback: string;
  };
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
  readonly group: {
    readonly HELD_OUT: string;
    readonly COMPARISON: string;
    readonly GENERAL: string;
  };
}
