import { mayBePending, type Term } from "@musette/client/terms";
import { type ReactNode, useEffect, useId, useState } from "react";
import type { ConsentTexts, ConsentTextsAtHand, TextsAtHand } from "../texts";
import { Button } from "../ui";
import type { Arrangement } from "./arrangement";
import { ErrorNotice, Header, Skeleton } from "./frame";
import type { SubmissionState } from "./submission-state";
import { TermList } from "./term-list";
import { type ConsentProps, useConsent } from "./use-consent";
import type { Deferred } from "./use-deferred";
import { useOffline } from "./use-offline";
import type { LoadedTerms } from "./use-terms";

/** Failures that lock the ticks, because the submission is in flight or will be sent. */
const LOCKING_FAILURES: readonly string[] = ["slow", "unsent"];
/** Failures after which a retry makes no sense: it would be rejected again, or the request has changed. */
const NOT_RETRYABLE: readonly string[] = ["changed", "unknownMarket", "reticked"];

interface ScreenProps extends ConsentProps {
  readonly allTexts: TextsAtHand;
  readonly cleared: boolean;
}

export function Screen({ allTexts, cleared, ...props }: ScreenProps) {
  const titleId = useId();
  const offline = useOffline();
  const consent = useConsent(props, allTexts.lang);
  const { loaded, state, deferred, sender } = consent;
  const texts = deferred ? deferred.completeConsent(allTexts.consent) : allTexts.consent;
  const { earlier } = loaded;
  const [openTerms, setOpenTerms] = useState<readonly Term[]>();

  const otherLanguage = (term: Term) => {
    const name = deferred?.otherLanguage(term.locale, props.locale || allTexts.lang, allTexts.lang);
    return name && texts.inLanguage?.(name);
  };

  const requiredFrom = ({ id, mandatory, grace_until }: Term) =>
    mandatory && grace_until && !earlier.known?.accepted.has(id)
      ? deferred?.requiredFrom(texts as ConsentTexts, allTexts.lang, grace_until)
      : undefined;

  const sending = state.phase === "sending";
  const [mayHavePending] = useState(() => props.query.userId !== undefined || mayBePending());
  // The check for pending submissions is quick and must not delay the list long. Sending waits for it anyway.
  const checking =
    mayHavePending && state.phase === "checking" && loaded.phase === "ready" && !loaded.slow;
  const phase = checking ? "loading" : loaded.phase;
  const pending = "pending" in state ? state : undefined;
  const listed = phase === "ready" && !!loaded.terms.length && !pending;
  const arranged = listed && props.arrange?.(loaded, consent.ticks, allTexts);
  const isListed = listed && !!deferred;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per list
  useEffect(
    () => (isListed ? deferred.prepareSoon(loaded.terms) : undefined),
    [isListed, loaded.terms],
  );
  const shown = { ...texts, ...loaded, ...consent, ...(arranged as Partial<Arrangement>) };
  return (
    <section
      className="mu-consent"
      lang={allTexts.lang}
      dir={allTexts.dir}
      aria-labelledby={titleId}
      aria-busy={sending || phase === "loading" || phase === "slow"}
      data-state={pending?.phase ?? (sending ? "sending" : phase)}
    >
      <Header onBack={props.onBack} onClose={props.onClose} texts={texts} />
      <div className="mu-consent-body">
        <h1 id={titleId}>{shown.title}</h1>
        {/* "You need to agree" is not true while a decision waits, or if there are no terms. */}
        {!pending && !(phase === "ready" && !listed) && (
          <p className="mu-consent-lead">{shown.description}</p>
        )}
        {cleared && texts.cleared && <p role="status">{texts.cleared}</p>}
        {listed && consent.kept && texts.kept && <p role="status">{texts.kept}</p>}
        {listed && !earlier.known && state.phase !== "failed" && (
          <ErrorNotice retry={texts.tryAgain} onRetry={earlier.retry}>
            {(offline ? texts.earlierOffline : texts.earlierUnknown) ?? texts.loadingSlow}
          </ErrorNotice>
        )}
        {listed ? (
          <TermList
            {...shown}
            locked={
              sending || (state.phase === "failed" && LOCKING_FAILURES.includes(state.failure.kind))
            }
            texts={texts}
            requiredFrom={requiredFrom}
            otherLanguage={otherLanguage}
            onToggle={consent.toggle}
            onToggleAll={consent.toggleAll}
            onOpen={setOpenTerms}
          />
        ) : pending && deferred ? (
          <deferred.PendingNotice
            state={pending}
            texts={texts as ConsentTexts}
            lang={allTexts.lang}
            sender={sender()}
          />
        ) : (
          <TermsStatus {...loaded} phase={phase} texts={texts} />
        )}
      </div>
      <Footer
        texts={texts}
        state={state}
        failureMessage={deferred?.failureMessage}
        ready={listed && !shown.waits}
        missing={consent.missing}
        onSend={consent.send}
        onTakeBack={() => sender()?.takeBack()}
      >
        {openTerms && deferred && (
          <deferred.Reader
            // Keyed by the documents, because the user may open another one while the first one loads.
            key={String(openTerms.map(({ id }) => id))}
            documents={openTerms}
            allTexts={allTexts}
            texts={texts as ConsentTexts}
            pdfFrameUrl={props.pdfFrameUrl}
            onRead={consent.read}
            onClose={() => setOpenTerms(undefined)}
            Notice={ErrorNotice}
          />
        )}
        {openTerms && deferred === null && (
          <ErrorNotice retry={texts.tryAgain} onRetry={consent.loadDeferred}>
            {texts.viewerFailed ?? texts.loadFailed}
          </ErrorNotice>
        )}
      </Footer>
    </section>
  );
}

interface TermsStatusProps
  extends Pick<LoadedTerms, "phase" | "retrying" | "reload" | "unknownMarket"> {
  readonly texts: ConsentTextsAtHand;
}

/** Shown instead of the list. It distinguishes loading, failed and empty. */
function TermsStatus({ phase, retrying, reload, unknownMarket, texts }: TermsStatusProps) {
  if (phase === "failed" && unknownMarket) {
    return (
      <ErrorNotice onRetry={reload}>
        {texts.submitFailed.unknownMarket ?? texts.loadFailed}
      </ErrorNotice>
    );
  }
  if (phase === "failed") {
    return (
      <ErrorNotice retry={texts.tryAgain} onRetry={reload}>
        {retrying ? texts.loading : texts.loadFailed}
      </ErrorNotice>
    );
  }
  if (phase === "ready") return <p role="status">{texts.noTerms}</p>;
  return (
    <>
      <p role="status" className="mu-consent-wait">
        {phase === "slow" ? texts.loadingSlow : texts.loading}
      </p>
      <Skeleton />
    </>
  );
}

interface FooterProps {
  readonly texts: ConsentTextsAtHand;
  readonly state: SubmissionState;
  readonly failureMessage: Deferred["failureMessage"] | undefined;
  readonly ready: boolean;
  readonly missing: number;
  readonly onSend: () => void;
  readonly onTakeBack: () => void;
  readonly children: ReactNode;
}

/** The footer, which is always in view. It shows errors, the number of missing ticks, and the button. */
function Footer({ texts, state, failureMessage, ready, missing, ...rest }: FooterProps) {
  const { onSend, onTakeBack, children } = rest;
  const { phase } = state;
  const resends = phase === "failed" && !NOT_RETRYABLE.includes(state.failure.kind);
  const missingText = ready && missing > 0 && texts.requiredLeft(missing);
  return (
    <div className="mu-consent-dock">
      {children}
      {phase === "failed" && (
        <ErrorNotice
          onRetry={onSend}
          more={
            state.failure.kind === "unsent" && (
              <Button kind="quiet" onClick={onTakeBack}>
                {texts.takeBack}
              </Button>
            )
          }
          takeFocus
        >
          {failureMessage?.(texts as ConsentTexts, state.failure) ?? texts.submitFailed.offline}
        </ErrorNotice>
      )}
      <footer className="mu-consent-footer">
        <p role="status">
          {phase === "sending" ? texts.sending : phase === "saved" ? texts.saved : missingText}
        </p>
        <Button loading={phase === "sending"} disabled={!ready || missing > 0} onClick={onSend}>
          {resends ? texts.tryNow : texts.accept}
        </Button>
      </footer>
    </div>
  );
}
