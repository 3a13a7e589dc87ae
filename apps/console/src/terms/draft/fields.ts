import type { DraftBody } from "./draft";
import type { ErrorAt } from "./errors";

/** The props of each part of the form. */
export interface DraftFields {
  readonly body: DraftBody;
  readonly edit: (change: (body: DraftBody) => DraftBody) => void;
  readonly errorAt: ErrorAt;
}
