import { DEFAULT_TERMS_TYPE, type SubmissionAnswer } from "@musette/client/terms";
import { changesFirst } from "@musette/react/changes";
import { type Arrange, TermsConsent } from "@musette/react/consent";
import { useCallback, useState } from "react";
import { dateAndTime } from "../language/dates";
import { useLanguage } from "../language/language";
import { receiptHref } from "../router/receipt-address";
import { goBack, Link, navigate } from "../router/router";
import { useEnded, useUserId } from "../session/session";
import { SignedOut } from "../sign-in/signed-out";
import { waitingAttempts } from "../terms/decide";
import { type Application, applications } from "../terms/kept-receipts";
import { sendWaiting } from "../terms/outbox";
import { APP, keepAnswer, seenTerm, termsClient } from "../terms/terms-client";

/** Always a fresh list: what somebody else agreed to on this phone is mentioned, and never ticked. */
export function ApplyPage() {
  const [before] = useState(() => applications()[0]);
  const arrange: Arrange = (loaded, ticks, words) => ({
    ...changesFirst()(loaded, ticks, words),
    ...(before && {
      description: (
        <>
          <AppliedBefore application={before} />
          {words.consent.description}
        </>
      ),
    }),
  });
  return <Consent userId={undefined} arrange={arrange} />;
}

function AppliedBefore({ application }: { readonly application: Application }) {
  const { language, texts } = useLanguage();
  return (
    <span className="applied-before">
      {texts.applied.before(dateAndTime(language.tag, application.appliedAt))}{" "}
      <Link href="/agreements">{texts.applied.show}</Link>
    </span>
  );
}

export function RiderTermsPage() {
  const { texts } = useLanguage();
  const userId = useUserId();
  const ended = useEnded();
  if (!userId) return <SignedOut ended={ended} />;
  const { done, doneText } = texts.status;
  // A key per person: ticks of one rider must not survive into the session of another.
  return (
    <Consent
      key={userId}
      userId={userId}
      arrange={changesFirst({ title: done, description: doneText })}
    />
  );
}

function Consent(props: { readonly userId: string | undefined; readonly arrange: Arrange }) {
  const { userId, arrange } = props;
  const { language } = useLanguage();
  const client = termsClient(language.tag, userId);
  const { fetchTerms, submitConsents } = client;
  // A withdrawal that waits for its answer goes first: without it nobody knows what stands.
  const fetchConsents = useCallback(
    async (rider: string) => {
      const waiting = await waitingAttempts({ userId: rider, receiptId: undefined });
      await sendWaiting(waiting, client.submitConsents, keepAnswer);
      return client.fetchConsents(rider);
    },
    [client],
  );

  function showReceipt(answer: SubmissionAnswer): void {
    keepAnswer(answer);
    // After a reload, the terms of a confirmed submission may not be listed here yet.
    const unseen = answer.consents.some((one) => !seenTerm(one.terms_and_conditions_id));
    if (unseen) {
      fetchTerms({ userId, termsType: DEFAULT_TERMS_TYPE }).then(
        () => keepAnswer(answer),
        () => {},
      );
    }
    // In place of this page: going back from the receipt must not offer to agree once more.
    navigate(receiptHref(answer.receipt.id), { replace: true });
  }

  return (
    <TermsConsent
      {...(userId && { userId })}
      locale={language.tag}
      app={APP}
      fetchTerms={fetchTerms}
      fetchConsents={fetchConsents}
      submitConsents={submitConsents}
      arrange={arrange}
      onBack={() => goBack("/")}
      onAccepted={showReceipt}
    />
  );
}
