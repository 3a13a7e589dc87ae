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
import type { LoadedTerms } from "./use-terms";

/** What was pressed is on its way, or will be: another decision waits until that is known. */
const LOCKS: readonly string[] = ["slow", "unsent"];
/** Failures after which the same request would be refused again, or is not the same any more. */
const IN_VAIN: readonly string[] = ["changed", "unknownMarket", "reticked"];

interface ScreenProps extends ConsentProps {
  readonly words: TextsAtHand;
  readonly cleared: boolean;
}

export function Screen({ words, cleared, ...props }: ScreenProps) {
  const titleId = useId();
  const consent = useConsent(props, words.lang);
  const { loaded, state, deferred, sender } = consent;
  const texts = deferred ? deferred.completeConsent(words.consent) : words.consent;
  const { earlier } = loaded;
  const [opened, open] = useState<readonly Term[]>();

  const otherLanguage = (term: Term) => {
    const name = deferred?.otherLanguage(term.locale, props.locale || words.lang, words.lang);
    return name && texts.inLanguage?.(name);
  };

  const sending = state.phase === "sending";
  const [mayWait] = useState(() => props.query.userId !== undefined || mayBePending());
  // Looking for a pending submission is quick, and must not delay the list for long. What is sent waits for it anyway.
  const checking =
    mayWait && state.phase === "checking" && loaded.phase === "ready" && !loaded.slow;
  const phase = checking ? "loading" : loaded.phase;
  const pending = "pending" in state ? state : undefined;
  const listed = phase === "ready" && !!loaded.terms.length && !pending;
  const arranged = listed && props.arrange?.(loaded, consent.ticks, words);
  const isListed = listed && !!deferred;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for this list
  useEffect(
    () => (isListed ? deferred.prepareSoon(loaded.terms) : undefined),
    [isListed, loaded.terms],
  );
  const shown = { ...texts, ...loaded, ...consent, ...(arranged as Partial<Arrangement>) };
  return (
    <section
      className="mu-consent"
      lang={words.lang}
      dir={words.dir}
      aria-labelledby={titleId}
      aria-busy={sending || phase === "loading" || phase === "slow"}
      data-state={pending?.phase ?? (sending ? "sending" : phase)}
    >
      <Header onBack={props.onBack} onClose={props.onClose} texts={texts} />
      <div className="mu-consent-body">
        <h1 id={titleId}>{shown.title}</h1>
        <p className="mu-consent-lead">{shown.description}</p>
        {cleared && texts.cleared && <p role="status">{texts.cleared}</p>}
        {listed && !earlier.known && (
          <ErrorNotice retry={texts.tryAgain} onRetry={earlier.retry}>
            {texts.earlierUnknown ?? texts.loadingSlow}
          </ErrorNotice>
        )}
        {listed ? (
          <TermList
            {...shown}
            declined={!!earlier.known}
            locked={sending || (state.phase === "failed" && LOCKS.includes(state.failure.kind))}
            texts={texts}
            otherLanguage={otherLanguage}
            onToggle={consent.toggle}
            onToggleAll={consent.toggleAll}
            onOpen={open}
          />
        ) : pending && deferred ? (
          <deferred.PendingNotice
            state={pending}
            texts={texts as ConsentTexts}
            lang={words.lang}
            sender={sender()}
          />
        ) : (
          <TermsStatus {...loaded} phase={phase} texts={texts} />
        )}
      </div>
      <Footer
        texts={texts}
        state={state}
        failureWords={deferred?.failureWords}
        ready={listed && !shown.waits}
        missing={consent.missing}
        onSend={consent.send}
        onTakeBack={() => sender()?.takeBack()}
      >
        {opened && deferred && (
          <deferred.Reader
            // A new key for each tap: another document may be opened while the first one loads.
            key={String(opened.map(({ id }) => id))}
            documents={opened}
            words={words}
            texts={texts as ConsentTexts}
            pdfFrameUrl={props.pdfFrameUrl}
            onRead={consent.read}
            onClose={() => open(undefined)}
            Notice={ErrorNotice}
          />
        )}
        {opened && deferred === null && (
          <ErrorNotice retry={texts.tryAgain} onRetry={consent.ask}>
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

/** Shown instead of the list: loading, failed and empty must not be confused. */
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
  readonly failureWords: Deferred["failureWords"] | undefined;
  readonly ready: boolean;
  readonly missing: number;
  readonly onSend: () => void;
  readonly onTakeBack: () => void;
  readonly children: ReactNode;
}

/** Always in view: errors, what is still missing, and the button. */
function Footer({ texts, state, failureWords, ready, missing, ...rest }: FooterProps) {
  const { onSend, onTakeBack, children } = rest;
  const { phase } = state;
  const resends = phase === "failed" && !IN_VAIN.includes(state.failure.kind);
  const left = ready && missing > 0 && texts.requiredLeft(missing);
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
          {failureWords?.(texts as ConsentTexts, state.failure) ?? texts.submitFailed.offline}
        </ErrorNotice>
      )}
      <footer className="mu-consent-footer">
        <p role="status">
          {phase === "sending" ? texts.sending : phase === "saved" ? texts.saved : left}
        </p>
        <Button loading={phase === "sending"} disabled={!ready || missing > 0} onClick={onSend}>
          {resends ? texts.tryNow : texts.accept}
        </Button>
      </footer>
    </div>
  );
}
