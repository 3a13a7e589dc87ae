import type { TermsQuery } from "@musette/client/terms";
import { type ReactNode, useId } from "react";
import type { ConsentTexts, TextsAtHand } from "../texts";
import { Button } from "../ui";
import { Header, Skeleton, Trouble } from "./frame";
import type { TermsConsentProps } from "./props";
import { TermList } from "./rows";
import { useConsent } from "./use-consent";
import type { SubmissionState } from "./use-submission";
import type { LoadedTerms } from "./use-terms";
import { useViewer } from "./use-viewer";

interface ScreenProps extends TermsConsentProps {
  readonly query: TermsQuery;
  readonly words: TextsAtHand;
}

export function Screen({ query, words, ...props }: ScreenProps) {
  const texts = words.consent;
  const titleId = useId();
  const consent = useConsent(props, query, words.lang);
  const { phase, terms, changed } = consent.loaded;
  const viewing = useViewer(words, consent.read, props.pdfFrameUrl);

  const sending = consent.state.phase === "sending";
  const listed = phase === "ready" && terms.length > 0;
  return (
    <section
      className="mu-consent"
      lang={words.lang}
      dir={words.dir}
      aria-labelledby={titleId}
      aria-busy={sending || phase === "loading" || phase === "slow"}
      data-state={sending ? "sending" : phase}
    >
      <Header onBack={props.onBack} onClose={props.onClose} texts={texts} />
      <div className="mu-consent-body">
        <h1 id={titleId}>{texts.title}</h1>
        <p className="mu-consent-lead">{texts.description}</p>
        {listed ? (
          <TermList
            terms={terms}
            ticks={consent.ticks}
            changed={changed}
            locked={sending}
            texts={texts}
            onToggle={consent.toggle}
            onToggleAll={consent.toggleAll}
            onOpen={viewing.open}
          />
        ) : (
          <InsteadOfTerms loaded={consent.loaded} texts={texts} />
        )}
      </div>
      <Dock
        texts={texts}
        state={consent.state}
        ready={listed}
        missing={consent.missing}
        onSend={consent.send}
      >
        {viewing.failed && (
          <Trouble retry={texts.tryAgain} onRetry={viewing.retry}>
            {texts.viewerFailed}
          </Trouble>
        )}
      </Dock>
      {viewing.viewer}
    </section>
  );
}

interface InsteadOfTermsProps {
  readonly loaded: LoadedTerms;
  readonly texts: ConsentTexts;
}

/** Waiting, failed and empty are three things: none may be taken for another. */
function InsteadOfTerms({ loaded: { phase, retrying, reload }, texts }: InsteadOfTermsProps) {
  if (phase === "failed") {
    return (
      <Trouble retry={texts.tryAgain} onRetry={reload}>
        {retrying ? texts.loading : texts.loadFailed}
      </Trouble>
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

interface DockProps {
  readonly texts: ConsentTexts;
  readonly state: SubmissionState;
  readonly ready: boolean;
  readonly missing: number;
  readonly onSend: () => void;
  readonly children: ReactNode;
}

/** Always in view: the troubles, what is still missing, and the button. */
function Dock({ texts, state, ready, missing, onSend, children }: DockProps) {
  const { phase } = state;
  const left = ready && missing > 0 && texts.requiredLeft(missing);
  return (
    <div className="mu-consent-dock">
      {children}
      {phase === "failed" && (
        <Trouble
          retry={state.kind !== "changed" && missing === 0 && texts.tryAgain}
          onRetry={onSend}
          takeFocus
        >
          {texts.submitFailed[state.kind]}
        </Trouble>
      )}
      <footer className="mu-consent-footer">
        <p role="status">
          {phase === "sending" ? texts.sending : phase === "saved" ? texts.saved : left}
        </p>
        <Button loading={phase === "sending"} disabled={!ready || missing > 0} onClick={onSend}>
          {texts.accept}
        </Button>
      </footer>
    </div>
  );
}
