import type { Failure } from "@musette/client/terms";
import type { ConsentTexts } from "../texts";
import { Button } from "../ui";
import type { Courier } from "./courier";
import { Trouble } from "./frame";
import type { Slow, Standing } from "./submission-state";

/** What is known after a failure, and for how long the server asks to be left alone. */
export function failureWords(texts: ConsentTexts, { kind, seconds }: Failure | Slow): string {
  const words = texts.submitFailed[kind];
  return seconds === undefined ? words : `${words} ${texts.wait(seconds)}`;
}

export interface PendingNoticeProps {
  readonly state: Standing & { readonly pending: { readonly at: number } };
  readonly texts: ConsentTexts;
  readonly lang: string;
  readonly courier: Courier | undefined;
}

/** In place of the list: what was confirmed before, and what is known of it. */
export function PendingNotice({ state, texts, lang, courier }: PendingNoticeProps) {
  const { pending: words } = texts;
  const when = new Intl.DateTimeFormat(lang, { dateStyle: "long", timeStyle: "short" });
  const pass = () => courier?.pass();
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
      <Trouble
        retry={texts.tryAgain}
        onRetry={() => courier?.again()}
        more={<PassButton label={words.decideAnew} onClick={pass} />}
      >
        {words.unanswered(at)} {why} {wait}
      </Trouble>
    );
  }
  if (state.phase === "expired") {
    return (
      <Trouble retry={words.decideAnew} onRetry={pass}>
        {words.expired(at)}
      </Trouble>
    );
  }
  return (
    <Trouble
      retry={words.mine}
      onRetry={() => courier?.mine()}
      more={<PassButton label={words.notMine} onClick={pass} />}
    >
      {words.whose(at)}
    </Trouble>
  );
}

function PassButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button kind="quiet" onClick={onClick}>
      {label}
    </Button>
  );
}
