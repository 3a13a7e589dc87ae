// Made by `musette flags types`: change the flags, not this file.

/** What each flag can answer. */
export interface Flags {
  readonly "start-tip": "none" | "keep-receipts" | "plan-break";
  readonly "quest-cards": boolean;
  readonly "check-in-screen": "list" | "map" | "voice";
  readonly "break-reminder-minutes": 240 | 180;
  readonly "receipt-export": boolean;
  readonly "support-chat": { readonly "open": boolean } | { readonly "open": boolean; readonly "from": number; readonly "to": number };
  readonly "e-bike-checklist": boolean;
  readonly "cash-orders": boolean;
}

/** What each flag can answer to a server. */
export interface ServerFlags extends Flags {
  readonly "quests-service": boolean;
}

/** What the variations are called. */
export interface Variations {
  readonly "start-tip": "none" | "keep-receipts" | "plan-break";
  readonly "quest-cards": "on" | "off";
  readonly "check-in-screen": "list" | "map" | "voice";
  readonly "break-reminder-minutes": "late" | "early";
  readonly "receipt-export": "on" | "off";
  readonly "support-chat": "closed" | "day" | "night";
  readonly "e-bike-checklist": "on" | "off";
  readonly "cash-orders": "on" | "off";
}

/** What the variations are called, to a server. */
export interface ServerVariations extends Variations {
  readonly "quests-service": "on" | "off";
}

export type FlagKey = keyof Flags;
export type ExperimentKey = "start-tip" | "check-in-screen" | "break-reminder";
export type MetricKey = "tip_opened" | "late_start_rate" | "break_taken";
