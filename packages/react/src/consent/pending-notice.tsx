import type { Failure } from "@musette/client/terms";
import { regional } from "../language/regional";
import type { ConsentTexts } from "../texts";
import { Button } from "../ui";
import { ErrorNotice } from "./frame";
import type { SubmissionSender } from "./submission-sender";
import type { NotSaid, PendingState } from "./submission-state";

/** The message for a failure, with the wait that the server asked for. */
export function failureWords(texts: ConsentTexts, { kind, seconds }: Failure | NotSaid): string {
  const words = texts.submitFailed[kind];
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
  const when = new Intl.DateTimeFormat(regional(lang), { dateStyle: "long", timeStyle: "short" });
  const dismiss = () => sender?.dismiss();
  const at = when.format(state.pending.at);
  if (state.phase === "replaying") {
    return (
      <p role="status" className="mu-consent-wait">
        {words.sending(at)}
      </p>
    );
  }
  if (state.phase === "unanswered") {
    const { kind, seconds } = state.failure;
    const why = kind === "signedOut" ? texts.submitFailed.signedOut : "";
    const wait = seconds === undefined ? "" : texts.wait(seconds);
    return (
      <ErrorNotice
        retry={texts.tryAgain}
        onRetry={() => sender?.retry()}
        more={<DismissButton label={words.decideAnew} onClick={dismiss} />}
      >
        {kind === "unsent" ? words.unsent(at) : words.unanswered(at)} {why} {wait}
      </ErrorNotice>
    );
  }
  if (state.phase === "expired") {
    return (
      <ErrorNotice retry={words.decideAnew} onRetry={dismiss}>
        {words.expired(at)}
      </ErrorNotice>
    );
  }
  if (state.phase === "refused") {
    return (
      <ErrorNotice retry={words.decideAnew} onRetry={dismiss}>
        {words.refused(at)}
      </ErrorNotice>
    );
  }
  return (
    <ErrorNotice
      retry={words.mine}
      onRetry={() => sender?.confirmOwner()}
      more={<DismissButton label={words.notMine} onClick={dismiss} />}
    >
      {words.whose(at)}
    </ErrorNotice>
  );
}

function DismissButton({
  label,
  onClick,
}: {
  readonly label: string;
  readonly onClick: () => void;
}) {
  return (
    <Button kind="quiet" onClick={onClick}>
      {label}
    </Button>
  );
}
