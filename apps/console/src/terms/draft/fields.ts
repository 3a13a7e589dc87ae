import type { DraftBody } from "./draft";
import type { FaultAt } from "./faults";

/** What each part of the form is given. */
export interface DraftFields {
  readonly body: DraftBody;
  readonly edit: (change: (body: DraftBody) => DraftBody) => void;
  readonly faultAt: FaultAt;
}
