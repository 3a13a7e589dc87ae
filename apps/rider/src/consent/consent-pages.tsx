import { DEFAULT_TERMS_TYPE, type SubmissionAnswer, type Term } from "@musette/client/terms";
import { changesFirst } from "@musette/react/changes";
import { type Arrange, TermsConsent } from "@musette/react/consent";
import { type Chosen, forgetMarket, MarketFirst } from "@musette/react/markets";
import { Button } from "@musette/react/ui";
import { useCallback, useMemo, useState } from "react";
import { TermsOfCompany } from "../company/company-mark";
import { dateAndTime } from "../language/dates";
import { useLanguage } from "../language/language";
import { isNotMine } from "../receipts/not-mine";
import { lazyPage } from "../router/later";
import { receiptHref } from "../router/receipt-address";
import { goBack, Link, navigate } from "../router/router";
import { useMyNameOrId } from "../session/me";
import { useEnded, useUserId } from "../session/session";
import { waitingAttempts } from "../terms/decide";
import { fetchInlined, initialMarkets, initialTerms } from "../terms/inlined-terms";
import { sendWaiting } from "../terms/outbox";
import { type Application as Applied, applications } from "../terms/stored-receipts";
import { APP, listedTerm, storeAnswer, termsClient } from "../terms/terms-client";

/** The market in a link from a host's page: `/apply?market=DE-BE`. */
const askedMarket = () => new URLSearchParams(window.location.search).get("market") || undefined;

export function ApplyPage() {
  const { language } = useLanguage();
  const [market] = useState(askedMarket);
  const [markets] = useState(initialMarkets);
  return (
    <MarketFirst
      linkedMarket={market}
      initialMarkets={markets}
      locale={language.tag}
      fetch={fetchInlined}
      onBack={() => goBack("/")}
    >
      {(code, chosen) => <Application market={code} chosen={chosen} />}
    </MarketFirst>
  );
}

interface ApplicationProps {
  readonly market: string | undefined;
  readonly chosen: Chosen | undefined;
}

/**
 * Starts with an empty list. What another person agreed to on this phone is mentioned, but never
 * ticked.
 */
function Application({ market, chosen }: ApplicationProps) {
  const [before] = useState(() => applications()[0]);
  const { signer, status } = useLanguage().texts;
  const arrange: Arrange = (loaded, ticks, consentTexts) => ({
    ...changesFirst()(loaded, ticks, consentTexts),
    description: (
      <>
        <TermsOfCompany />
        {before && <AppliedBefore application={before} />}
        {isOptional(loaded.terms) ? status.optionalOnly : consentTexts.consent.description}
        {chosen && <ChosenMarket chosen={chosen} />}
        <span className="signer">{signer.applicant}</span>
      </>
    ),
  });
  return <Consent userId={undefined} market={market} arrange={arrange} />;
}

function ChosenMarket({ chosen }: { readonly chosen: Chosen }) {
  return (
    <span className="mu-markets-chosen">
      <span>{chosen.text}</span>
      {chosen.changeText && (
        <Button kind="quiet" onClick={chosen.change}>
          {chosen.changeText}
        </Button>
      )}
    </span>
  );
}

function AppliedBefore({ application }: { readonly application: Applied }) {
  const { language, texts } = useLanguage();
  return (
    <span className="applied-before">
      {texts.applied.before(dateAndTime(language.tag, application.appliedAt))}{" "}
      <Link href="/agreements">{texts.applied.show}</Link>
    </span>
  );
}

/** An agreement that may be this rider's: joined, it settles what the list asks for. */
function MayBeYours({ application }: { readonly application: Applied }) {
  const { language, texts } = useLanguage();
  return (
    <span className="applied-before">
      {texts.applied.before(dateAndTime(language.tag, application.appliedAt))}{" "}
      <Link href="/">{texts.signer.wasYou}</Link>
    </span>
  );
}

const TermsSignedOut = lazyPage(async () => {
  const { SignedOut } = await import("../sign-in/signed-out");
  return () => <SignedOut ended={useEnded()} />;
});

export function RiderTermsPage() {
  const userId = useUserId();
  // One key per person: a rider's ticks must not appear in another rider's session.
  return userId ? <RiderTerms key={userId} userId={userId} /> : <TermsSignedOut />;
}

function RiderTerms({ userId }: { readonly userId: string }) {
  const { language, texts } = useLanguage();
  const { signer, status } = texts;
  const name = useMyNameOrId(userId);
  const [mayBeMine] = useState(() => applications().find(({ root }) => !isNotMine(userId, root)));
  const whenAgreed = { title: status.done, description: status.doneText };
  const arrange: Arrange = (loaded, ticks, consentTexts) => {
    const arranged = changesFirst(whenAgreed)(loaded, ticks, consentTexts);
    const open = loaded.terms.filter(
      ({ id, mandatory }) => mandatory && !loaded.earlier.known?.accepted.has(id),
    );
    const until = endOfGrace(open);
    return {
      ...arranged,
      // "All done" is not true while a changed tick is not sent.
      ...(arranged.waits === false && { title: consentTexts.consent.title }),
      description: (
        <>
          <TermsOfCompany />
          {mayBeMine && <MayBeYours application={mayBeMine} />}
          {arranged.description ??
            (until
              ? status.byText(dateAndTime(language.tag, until))
              : isOptional(loaded.terms)
                ? status.optionalOnly
                : consentTexts.consent.description)}
          <span className="signer">{name && signer.rider(name)}</span>
        </>
      ),
    };
  };
  return <Consent userId={userId} arrange={arrange} />;
}

const isOptional = (terms: readonly Term[]) => !terms.some(({ mandatory }) => mandatory);

/** Returns when the first of these terms is required; undefined if one is required already. */
function endOfGrace(open: readonly Term[]): string | undefined {
  const ends = open.map(({ grace_until }) => grace_until ?? "");
  const isLater = ends.every((end) => Date.parse(end) > Date.now());
  return isLater ? ends.sort((a, b) => Date.parse(a) - Date.parse(b))[0] : undefined;
}

interface ConsentProps {
  readonly userId: string | undefined;
  readonly market?: string | undefined;
  readonly arrange: Arrange;
}

function Consent({ userId, market, arrange }: ConsentProps) {
  const { language } = useLanguage();
  const client = termsClient(language.tag, userId);
  const { fetchTerms, submitConsents } = client;
  const initial = useMemo(
    () => (userId || market ? undefined : initialTerms(language.tag)),
    [userId, market, language.tag],
  );
  // Sends a waiting withdrawal first. Before its answer, the current consents are unknown.
  const fetchConsents = useCallback(
    async (rider: string) => {
      const waiting = await waitingAttempts({ userId: rider, receiptId: undefined });
      await sendWaiting(waiting, client.submitConsents, storeAnswer);
      return client.fetchConsents(rider);
    },
    [client],
  );

  function showReceipt(answer: SubmissionAnswer): void {
    storeAnswer(answer);
    if (!userId) forgetMarket();
    // After a reload, the terms of a confirmed submission may not have been fetched yet.
    const unseen = answer.consents.some((one) => !listedTerm(one.terms_and_conditions_id));
    if (unseen) {
      fetchTerms({ userId, market, termsType: DEFAULT_TERMS_TYPE }).then(
        () => storeAnswer(answer),
        () => {},
      );
    }
    // Replaces this page, so that going back from the receipt does not offer to agree again.
    navigate(receiptHref(answer.receipt.id), { replace: true });
  }

  return (
    <TermsConsent
      {...(userId && { userId })}
      market={market}
      locale={language.tag}
      app={APP}
      initialTerms={initial}
      fetchTerms={fetchTerms}
      fetchConsents={fetchConsents}
      submitConsents={submitConsents}
      arrange={arrange}
      onBack={() => goBack("/")}
      onAccepted={showReceipt}
    />
  );
}
