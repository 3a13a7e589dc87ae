import { useCallback, useState } from "react";
import { type Agreement, applicantAgreements } from "../agreements/agreements";
import { fetchStanding, withServerDecision } from "../agreements/server-standing";
import { day } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { useLoad } from "../loading/use-load";
import { receiptHref } from "../router/receipt-address";
import { Link } from "../router/router";
import { signInHref } from "../router/sign-in-address";
import { pendingStep, pendingTexts } from "../terms/pending-texts";
import { type Application, applications } from "../terms/stored-receipts";
import { type PendingDecision, usePending } from "../terms/use-pending";

/** Returns the newest application on this phone, and a pending decision without an account. */
export function useApplied() {
  const [newest] = useState(() => applications()[0]);
  const pending = usePending(undefined);
  return { newest, pending: pending || undefined };
}

/** Shows what an applicant has agreed to and what happens next, as far as this phone knows. */
export function ApplicantStatus({ newest, pending }: ReturnType<typeof useApplied>) {
  return (
    <>
      {pending && <PendingStatus pending={pending} />}
      {newest && <ApplicationStatus newest={newest} isFirst={!pending} />}
    </>
  );
}

function PendingStatus({ pending }: { readonly pending: PendingDecision }) {
  const { texts } = usePageLanguage();
  const { title, text } = pendingTexts(texts, pending.state);
  const isOpen = pending.state === "unsent" || pending.state === "unanswered";
  return (
    <section className="card status" data-standing="pending">
      <h1>{isOpen ? texts.status.pendingHere : title}</h1>
      <p>{text}</p>
      <Link className="mu-button" data-kind="primary" href={pending.at}>
        {pendingStep(texts, pending.state)}
      </Link>
    </section>
  );
}

function Outcome({ agreement }: { readonly agreement: Agreement }) {
  const { agreements, receipt } = usePageLanguage().texts;
  const { decision, decidedElsewhere } = agreement;
  if (decidedElsewhere)
    return decision?.accepted ? agreements.agreedElsewhere : agreements.withdrewElsewhere;
  return decision?.accepted ? receipt.agreed : receipt.notAgreed;
}

function ApplicationStatus(props: { readonly newest: Application; readonly isFirst: boolean }) {
  const { language, texts } = usePageLanguage();
  const { newest } = props;
  // A decision on another device counts as well. Without an answer, this phone's own are shown.
  const load = useCallback(
    () => fetchStanding(newest.root, language.tag),
    [newest.root, language.tag],
  );
  const looked = useLoad(load);
  const standing = looked.state === "ready" ? looked.value : undefined;
  const appliedTexts = texts.applied;
  const Title = props.isFirst ? "h1" : "h2";
  return (
    <section className="card status" data-standing="applied">
      <Title>{appliedTexts.title(day(language.tag, newest.appliedAt))}</Title>
      <ul>
        {applicantAgreements(newest.decisions).map((one) => (
          <li key={one.term.id}>
            <bdi>{one.term.title}</bdi>
            {": "}
            <Outcome agreement={withServerDecision(one, standing)} />
          </li>
        ))}
      </ul>
      <h2>{appliedTexts.next}</h2>
      <p>{appliedTexts.nextText}</p>
      <div className="ways">
        <Link className="mu-button" data-kind="primary" href="/agreements">
          {appliedTexts.show}
        </Link>
        <Link className="mu-button" data-kind="secondary" href={receiptHref(newest.root)}>
          {texts.agreements.receipt}
        </Link>
        <Link className="mu-button" data-kind="quiet" href={signInHref("/")}>
          {texts.signIn.title}
        </Link>
      </div>
    </section>
  );
}
