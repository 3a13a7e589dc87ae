import type { SubmissionAnswer } from "@musette/client/terms";
import { useId } from "react";
import { ReadDocument } from "../documents/read-document";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { AgreeSwitch } from "../terms/agree-switch";
import type { Decider } from "../terms/decide";
import { versionName } from "../terms/version-name";
import type { Agreement, Outcome } from "./agreements";

export function AgreementCard(props: {
  readonly agreement: Agreement;
  readonly outcome: Outcome | undefined;
  readonly decider: Omit<Decider, "locale">;
  readonly onDecided: (answer: SubmissionAnswer) => void;
}) {
  const { texts } = usePageLanguage();
  const { term, replaced } = props.agreement;
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
        {replaced && <span>{texts.agreements.replaced}</span>}
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
  const { language, texts } = usePageLanguage();
  const { decision, former, decidedElsewhere } = props.agreement;
  if (!decision || !props.outcome) {
    const name = versionName(texts, former);
    const undecidedSince =
      former && name && texts.agreements.undecidedSince(name, dateAndTime(language.tag, former.at));
    return <p className="standing">{undecidedSince || texts.agreements.undecided}</p>;
  }
  const outcomeText = {
    agreed: texts.agreements.agreedOn,
    withdrew: texts.agreements.withdrewOn,
    declined: texts.agreements.declinedOn,
  }[props.outcome];
  const elsewhere = decision.accepted
    ? texts.agreements.agreedElsewhere
    : texts.agreements.withdrewElsewhere;
  return (
    <p className="standing" data-outcome={props.outcome} role="status">
      {decidedElsewhere ? elsewhere : outcomeText(dateAndTime(language.tag, decision.recordedAt))}
    </p>
  );
}
