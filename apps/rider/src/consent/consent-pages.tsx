import { DEFAULT_TERMS_TYPE, type SubmissionAnswer } from "@musette/client/terms";
import { TermsConsent } from "@musette/react/consent";
import { useLanguage } from "../language/language-context";
import { keepReceipt } from "../receipts/kept-receipts";
import { receiptOf } from "../receipts/receipt";
import { goBack, navigate } from "../router/router";
import { useEnded, useUserId } from "../session/session";
import { SignedOut } from "../session/signed-out";
import { APP, seenTerm, termsClient } from "../terms/terms-client";

export function ApplyPage() {
  return <Consent userId={undefined} />;
}

export function RiderTermsPage() {
  const userId = useUserId();
  const ended = useEnded();
  // A key per person: ticks of one rider must not survive into the session of another.
  return userId ? <Consent key={userId} userId={userId} /> : <SignedOut ended={ended} />;
}

function Consent({ userId }: { readonly userId: string | undefined }) {
  const { language } = useLanguage();
  const { fetchTerms, fetchConsents, submitConsents } = termsClient(language.tag, userId);

  function showReceipt(answer: SubmissionAnswer): void {
    keepReceipt(receiptOf(answer, seenTerm));
    // Of what was confirmed before a reload the terms may not have been listed here yet.
    const unseen = answer.consents.some((one) => !seenTerm(one.terms_and_conditions_id));
    if (unseen) {
      fetchTerms({ userId, termsType: DEFAULT_TERMS_TYPE }).then(
        () => keepReceipt(receiptOf(answer, seenTerm)),
        () => {},
      );
    }
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
