import type { DraftBody } from "./draft";
import type { FaultAt } from "./faults";

/** The props of each part of the form. */
export interface DraftFields {
  readonly body: DraftBody;
  readonly edit: (change: (body: DraftBody) => DraftBody) => void;
  readonly faultAt: FaultAt;
}
