import type { SubmissionAnswer, Term } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { useId, useState } from "react";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import type { Decider } from "./decide";
import type { Decision } from "./receipt";
import { type DecisionState, useDecision } from "./use-decision";

/** A switch that agrees to a term or withdraws. Its place and its text are the same for both. */
export function AgreeSwitch(props: {
  readonly agreement: { readonly term: Term; readonly decision?: Decision };
  readonly decider: Omit<Decider, "locale">;
  readonly onDecided: (answer: SubmissionAnswer) => void;
  readonly titleId: string;
}) {
  const { texts } = usePageLanguage();
  const { term, decision } = props.agreement;
  const accepted = decision?.accepted ?? false;
  const stands = `${decision?.receiptId} ${accepted}`;
  // The position when it was pressed. A change since then means that the page has received the
  // answer.
  const [stood, setStood] = useState(stands);
  const { state, press } = useDecision(term, props.decider, props.onDecided);
  const wordsId = useId();
  const saving = state?.phase === "sending";
  const ahead = saving || (state?.phase === "recorded" && stood === stands);

  function pressTo(wanted: boolean): void {
    // Not `disabled` meanwhile: keyboard users would lose the focus.
    if (saving) return;
    setStood(stands);
    press(wanted);
  }

  return (
    <>
      <label className="switch">
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: the native state says whether it is on
          role="switch"
          aria-labelledby={`${wordsId} ${props.titleId}`}
          aria-busy={saving || undefined}
          checked={ahead ? state.accepted : accepted}
          onChange={() => pressTo(!(ahead ? state.accepted : accepted))}
        />
        <span id={wordsId}>{texts.agreements.agree}</span>
        {saving && (
          <span className="note" role="status">
            {texts.agreements.saving}
          </span>
        )}
      </label>
      {state && <PressError state={state} onRetry={() => pressTo(state.accepted)} />}
    </>
  );
}

/** Explains a press that was not confirmed. */
function PressError(props: { readonly state: DecisionState; readonly onRetry: () => void }) {
  const { language, texts } = usePageLanguage();
  const { state } = props;
  const agreementsTexts = texts.agreements;
  const at = dateAndTime(language.tag, new Date(state.at).toISOString());
  if (state.phase === "expired") {
    return (
      <p className="failure switch-failure" role="alert">
        {agreementsTexts.expired(at)}
      </p>
    );
  }
  if (state.phase !== "failed") return null;
  const { kind, final } = state.failure;
  const why =
    final || kind === "unsent" || kind === "signedOut" || kind === "rateLimited"
      ? texts.failure[kind]
      : "";
  return (
    <div className="switch-failure">
      <p className="failure" role="alert">
        {final || kind === "unsent" ? why : `${agreementsTexts.unconfirmed(at)} ${why}`.trim()}
      </p>
      {kind !== "changed" && (
        <Button kind="secondary" onClick={props.onRetry}>
          {texts.tryAgain}
        </Button>
      )}
    </div>
  );
}
