// Made by `musette flags types`: change the flags, not this file.

/** What each flag can answer. */
export interface Flags {
  readonly "start-tip": "none" | "receipt </script>";
  readonly "apply-words": "long" | "short";
  readonly "quest-cards": boolean;
}
