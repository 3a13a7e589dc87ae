import { mayBePending } from "@musette/client/terms";
import { usePageLanguage } from "../language/page-language";
import { LoadingCards } from "../loading/states";
import { Link } from "../router/router";
import { signInHref } from "../router/sign-in-address";
import { pendingStep, pendingTexts } from "../terms/pending-texts";
import { canStoreReceipts } from "../terms/stored-receipts";
import { usePending } from "../terms/use-pending";

/**
 * Says that nothing was agreed to, but only when this is certain: a decision without an answer may
 * be recorded.
 */
export function NothingAgreed({ userId }: { readonly userId: string | undefined }) {
  const { texts } = usePageLanguage();
  const pending = usePending(userId);
  const rider = userId !== undefined;
  if (pending === undefined) return <LoadingCards count={1} />;
  if (pending) {
    const pendingText = pendingTexts(texts, pending.state);
    return (
      <div className="calm">
        <h2>{rider ? pendingText.title : texts.status.pendingHere}</h2>
        <p>{pendingText.text}</p>
        <Link className="mu-button" data-kind="primary" href={pending.at}>
          {pendingStep(texts, pending.state)}
        </Link>
      </div>
    );
  }
  if (!rider && !canStoreReceipts()) return <NotKept />;
  // A rider's pending decision, which is only read with their session. The session may have ended
  // for this reader.
  if (!rider && mayBePending()) return <PendingOfRider />;
  const { emptyTitle, emptyHere, emptyRider, emptyApplicant, toTerms, toApply } = texts.agreements;
  return (
    <div className="calm">
      <h2>{rider ? emptyTitle : emptyHere}</h2>
      <p>{rider ? emptyRider : emptyApplicant}</p>
      <Link className="mu-button" data-kind="primary" href={rider ? "/terms" : "/apply"}>
        {rider ? toTerms : toApply}
      </Link>
      {!rider && (
        <Link className="mu-button" data-kind="secondary" href={signInHref("/agreements")}>
          {texts.signIn.title}
        </Link>
      )}
      <Link className="mu-button" data-kind="quiet" href="/receipt">
        {texts.receipt.open.title}
      </Link>
    </div>
  );
}

/** Says that agreements cannot be stored in this browser, so the list would be empty in any case. */
function NotKept() {
  const { texts } = usePageLanguage();
  return (
    <div className="calm">
      <h2>{texts.agreements.notKeptTitle}</h2>
      <p>{texts.agreements.notKeptText}</p>
      <Link className="mu-button" data-kind="primary" href="/receipt">
        {texts.receipt.open.title}
      </Link>
      <Link className="mu-button" data-kind="secondary" href={signInHref("/agreements")}>
        {texts.signIn.title}
      </Link>
    </div>
  );
}

function PendingOfRider() {
  const { texts } = usePageLanguage();
  return (
    <div className="calm">
      <h2>{texts.status.pendingHere}</h2>
      <p>{texts.status.pendingRider}</p>
      <Link className="mu-button" data-kind="primary" href={signInHref("/agreements")}>
        {texts.signIn.title}
      </Link>
      <Link className="mu-button" data-kind="secondary" href="/apply">
        {texts.agreements.toApply}
      </Link>
    </div>
  );
}
