import { failureKind, type SubmissionAnswer } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { useId, useState } from "react";
import { ReadDocument } from "../documents/read-document";
import { dateAndTime } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { FailureText } from "../loading/states";
import { termsClient } from "../terms/terms-client";
import { versionName } from "../terms/version-name";
import type { Agreement, Outcome } from "./agreements";
import { type Attempt, attemptTo, type Decider, send } from "./decide";

export function AgreementCard(props: {
  readonly agreement: Agreement;
  readonly outcome: Outcome | undefined;
  readonly decider: Omit<Decider, "locale">;
  readonly onDecided: (answer: SubmissionAnswer) => void;
}) {
  const { texts } = useLanguage();
  const { term, current } = props.agreement;
  const titleId = useId();
  const version = versionName(texts, term);
  return (
    <li className="card agreement" aria-labelledby={titleId}>
      <h2 id={titleId}>
        <bdi>{term.title}</bdi>
      </h2>
      <p className="term-facts">
        {version && <span>{version}</span>}
        <span>{term.mandatory ? texts.agreements.required : texts.optional}</span>
        {!current && <span>{texts.agreements.replaced}</span>}
      </p>
      <Standing agreement={props.agreement} outcome={props.outcome} />
      <div className="agreement-actions">
        {!term.mandatory && <AgreeSwitch {...props} titleId={titleId} />}
        <ReadDocument term={term} />
      </div>
    </li>
  );
}

function Standing(props: { readonly agreement: Agreement; readonly outcome: Outcome | undefined }) {
  const { language, texts } = useLanguage();
  const { decision } = props.agreement;
  if (!decision || !props.outcome) return <p className="standing">{texts.agreements.undecided}</p>;
  const said = {
    agreed: texts.agreements.agreedOn,
    withdrew: texts.agreements.withdrewOn,
    declined: texts.agreements.declinedOn,
  }[props.outcome];
  return (
    <p className="standing" data-outcome={props.outcome} role="status">
      {said(dateAndTime(language.tag, decision.recordedAt))}
    </p>
  );
}

/** One switch in one place, with the same words for agreeing and for taking it back. */
export function AgreeSwitch(props: {
  readonly agreement: Agreement;
  readonly decider: Omit<Decider, "locale">;
  readonly onDecided: (answer: SubmissionAnswer) => void;
  readonly titleId: string;
}) {
  const { language, texts } = useLanguage();
  const { term, decision } = props.agreement;
  const [attempt, setAttempt] = useState<Attempt>();
  const [failure, setFailure] = useState<unknown>();
  const wordsId = useId();
  const accepted = decision?.accepted ?? false;
  const saving = attempt !== undefined && failure === undefined;

  async function submit(next: Attempt): Promise<void> {
    setAttempt(next);
    setFailure(undefined);
    try {
      props.onDecided(await send(termsClient(language.tag, props.decider.userId), next));
      setAttempt(undefined);
    } catch (error) {
      setFailure(error);
    }
  }

  function toggle(): void {
    // Not `disabled` meanwhile: that would throw the focus of a keyboard away.
    if (saving) return;
    const by = { ...props.decider, locale: language.tag };
    // After a failure the switch stands where it stood: the same tap is the same attempt.
    const again = attempt?.accepted === !accepted ? attempt : undefined;
    submit(again ?? attemptTo(!accepted, term, by, new Date()));
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
          checked={saving ? attempt.accepted : accepted}
          onChange={toggle}
        />
        <span id={wordsId}>{texts.agreements.agree}</span>
        {saving && (
          <span className="note" role="status">
            {texts.agreements.saving}
          </span>
        )}
      </label>
      {failure !== undefined && (
        <div className="switch-failure">
          <FailureText error={failure} />
          {failureKind(failure) !== "changed" && (
            <Button kind="secondary" onClick={toggle}>
              {texts.tryAgain}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
