import type { Failure } from "@musette/client/terms";
import { regional } from "../language/regional";
import type { ConsentTexts } from "../texts";
import { Button } from "../ui";
import { ErrorNotice } from "./frame";
import type { SubmissionSender } from "./submission-sender";
import type { LocalFailure, PendingState } from "./submission-state";

/** Returns the message for a failure, with the delay that the server requested. */
export function failureMessage(
  texts: ConsentTexts,
  { kind, seconds }: Failure | LocalFailure,
  message = texts.submitFailed[kind],
): string {
  return seconds === undefined ? message : `${message} ${texts.wait(seconds)}`;
}

const dateFormat = (lang: string) =>
  new Intl.DateTimeFormat(regional(lang), { dateStyle: "long", timeStyle: "short" });

/** Returns the note of a term in its grace period; undefined after it. */
export function requiredFrom(
  { requiredFrom }: ConsentTexts,
  lang: string,
  graceUntil: string,
): string | undefined {
  const end = Date.parse(graceUntil);
  return end > Date.now() ? requiredFrom(dateFormat(lang).format(end)) : undefined;
}

export interface PendingNoticeProps {
  readonly state: PendingState & { readonly pending: { readonly at: number } };
  readonly texts: ConsentTexts;
  readonly lang: string;
  readonly sender: SubmissionSender | undefined;
}

/** A notice about a submission that is pending from an earlier screen. Shown instead of the list. */
export function PendingNotice({ state, texts, lang, sender }: PendingNoticeProps) {
  const { pending: labels } = texts;
  const { phase } = state;
  const at = dateFormat(lang).format(state.pending.at);
  const dismiss = () => sender?.dismiss();
  if (phase === "replaying") {
    return (
      <p role="status" className="mu-consent-wait">
        {labels.sending(at)}
      </p>
    );
  }
  if (phase === "expired" || phase === "refused") {
    return (
      <ErrorNotice retry={labels.decideAnew} onRetry={dismiss}>
        {labels[phase](at)}
      </ErrorNotice>
    );
  }
  const isUnanswered = phase === "unanswered";
  return (
    <ErrorNotice
      retry={isUnanswered ? texts.tryNow : labels.mine}
      onRetry={() => (isUnanswered ? sender?.retry() : sender?.confirmOwner())}
      more={
        <Button kind="quiet" onClick={dismiss}>
          {isUnanswered ? labels.decideAnew : labels.notMine}
        </Button>
      }
    >
      {isUnanswered ? unansweredMessage(texts, state.failure, at) : labels.whose(at)}
    </ErrorNotice>
  );
}

function unansweredMessage(texts: ConsentTexts, failure: Failure, at: string): string {
  const { unsent, unanswered } = texts.pending;
  const message = failure.kind === "unsent" ? unsent(at) : unanswered(at);
  const reason = failure.kind === "signedOut" ? ` ${texts.submitFailed.signedOut}` : "";
  return failureMessage(texts, failure, message + reason);
}
