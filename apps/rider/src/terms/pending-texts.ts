import type { RiderTexts } from "../texts/texts";
import type { PendingDecision } from "./use-pending";

type State = PendingDecision["state"];

/** Returns the texts for a pending decision. They do not say "accepted" before the receipt. */
export function pendingTexts({ status }: RiderTexts, state: State) {
  switch (state) {
    case "unsent":
      return { title: status.unsent, text: status.unsentText };
    case "unanswered":
      return { title: status.pending, text: status.pendingText };
    case "refused":
      return { title: status.refused, text: status.refusedText };
    case "recorded":
      return { title: status.settled, text: status.settledText };
  }
}

/** Returns the label of the button for the next step. */
export function pendingStep({ status }: RiderTexts, state: State): string {
  if (state === "refused") return status.review;
  return state === "recorded" ? status.open : status.confirm;
}
