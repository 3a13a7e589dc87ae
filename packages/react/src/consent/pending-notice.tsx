import type { Failure } from "@musette/client/terms";
import { regional } from "../language/regional";
import type { ConsentTexts } from "../texts";
import { Button } from "../ui";
import { ErrorNotice } from "./frame";
import type { SubmissionSender } from "./submission-sender";
import type { NotSaid, PendingState } from "./submission-state";

/** The message for a failure, with the wait that the server asked for. */
export function failureWords(
  texts: ConsentTexts,
  { kind, seconds }: Failure | NotSaid,
  words = texts.submitFailed[kind],
): string {
  return seconds === undefined ? words : `${words} ${texts.wait(seconds)}`;
}

export interface PendingNoticeProps {
  readonly state: PendingState & { readonly pending: { readonly at: number } };
  readonly texts: ConsentTexts;
  readonly lang: string;
  readonly sender: SubmissionSender | undefined;
}

/** Shown instead of the list: a submission that is pending from before. */
export function PendingNotice({ state, texts, lang, sender }: PendingNoticeProps) {
  const { pending: words } = texts;
  const { phase } = state;
  const when = new Intl.DateTimeFormat(regional(lang), { dateStyle: "long", timeStyle: "short" });
  const at = when.format(state.pending.at);
  const dismiss = () => sender?.dismiss();
  if (phase === "replaying") {
    return (
      <p role="status" className="mu-consent-wait">
        {words.sending(at)}
      </p>
    );
  }
  if (phase === "expired" || phase === "refused") {
    return (
      <ErrorNotice retry={words.decideAnew} onRetry={dismiss}>
        {words[phase](at)}
      </ErrorNotice>
    );
  }
  const isOpen = phase === "unanswered";
  return (
    <ErrorNotice
      retry={isOpen ? texts.tryNow : words.mine}
      onRetry={() => (isOpen ? sender?.retry() : sender?.confirmOwner())}
      more={
        <Button kind="quiet" onClick={dismiss}>
          {isOpen ? words.decideAnew : words.notMine}
        </Button>
      }
    >
      {isOpen ? unansweredWords(texts, state.failure, at) : words.whose(at)}
    </ErrorNotice>
  );
}

function unansweredWords(texts: ConsentTexts, failure: Failure, at: string): string {
  const { unsent, unanswered } = texts.pending;
  const words = failure.kind === "unsent" ? unsent(at) : unanswered(at);
  const why = failure.kind === "signedOut" ? ` ${texts.submitFailed.signedOut}` : "";
  return failureWords(texts, failure, words + why);
}
