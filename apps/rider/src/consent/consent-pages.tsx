import type { SubmissionAnswer } from "@musette/client/terms";
import { TermsConsent } from "@musette/react/consent";
import { Button } from "@musette/react/ui";
import { demoRiders } from "../demo/demo";
import { useEnterDemo } from "../demo/use-enter-demo";
import { useLanguage } from "../language/language-context";
import { CalmPage, FailureText } from "../loading/states";
import { useLoad } from "../loading/use-load";
import { keepReceipt } from "../receipts/kept-receipts";
import { receiptOf } from "../receipts/receipt";
import { goBack, Link, navigate } from "../router/router";
import { useUserId } from "../session/session";
import { APP, seenTerm, termsClient } from "../terms/terms-client";

export function ApplyPage() {
  return <Consent userId={undefined} />;
}

export function RiderTermsPage() {
  const userId = useUserId();
  // A key per person: ticks of one rider must not survive into the session of another.
  return userId ? <Consent key={userId} userId={userId} /> : <SignedOut />;
}

function Consent({ userId }: { readonly userId: string | undefined }) {
  const { language } = useLanguage();
  const { fetchTerms, fetchConsents, submitConsents } = termsClient(language.tag, userId);

  function showReceipt(answer: SubmissionAnswer): void {
    keepReceipt(receiptOf(answer, seenTerm));
    // In place of this page: going back from the receipt must not offer to agree once more.
    navigate(`/receipt/${answer.receipt.id}`, { replace: true });
  }

  return (
    <TermsConsent
      {...(userId && { userId })}
      locale={language.tag}
      app={APP}
      fetchTerms={fetchTerms}
      fetchConsents={fetchConsents}
      submitConsents={submitConsents}
      onBack={() => goBack("/")}
      onAccepted={showReceipt}
    />
  );
}

function SignedOut() {
  const { texts } = useLanguage();
  const demo = useLoad(demoRiders);
  const { entering, error, enter } = useEnterDemo();
  const rider = demo.state === "ready" ? demo.value[0] : undefined;
  return (
    <CalmPage title={texts.signedOut.title} text={texts.signedOut.text}>
      {error !== undefined && <FailureText error={error} />}
      {rider && (
        <Button kind="primary" loading={entering} onClick={() => enter(rider)}>
          {texts.signedOut.enter}
        </Button>
      )}
      <Link className="mu-button" data-kind="secondary" href="/">
        {texts.backToStart}
      </Link>
    </CalmPage>
  );
}
