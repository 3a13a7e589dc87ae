import type { Term } from "@musette/client/terms";
import { type ReactNode, useId, useState } from "react";
import type { ConsentTexts, ConsentTextsAtHand, TextsAtHand } from "../texts";
import { Button } from "../ui";
import type { Arrangement } from "./arrangement";
import { Header, Skeleton, Trouble } from "./frame";
import { TermList } from "./rows";
import type { SubmissionState } from "./submission-state";
import { type ConsentProps, useConsent } from "./use-consent";
import type { Later } from "./use-later";
import type { LoadedTerms } from "./use-terms";

interface ScreenProps extends ConsentProps {
  readonly words: TextsAtHand;
  readonly cleared: boolean;
}

export function Screen({ words, cleared, ...props }: ScreenProps) {
  const titleId = useId();
  const consent = useConsent(props, words.lang);
  const { loaded, state, later, courier } = consent;
  const texts = later ? later.completeConsent(words.consent) : words.consent;
  const { earlier } = loaded;
  const [opened, open] = useState<readonly Term[]>();

  const sending = state.phase === "sending";
  // What waits from before may be found any moment; but it must not hold up the reading for long.
  const checking = state.phase === "checking" && loaded.phase === "ready" && !loaded.slow;
  const phase = checking ? "loading" : loaded.phase;
  const standing = "pending" in state ? state : undefined;
  const listed = phase === "ready" && !!loaded.terms.length && !standing;
  const arranged = listed && props.arrange?.(loaded, consent.ticks, words);
  const shown = { ...texts, ...loaded, ...consent, ...(arranged as Partial<Arrangement>) };
  return (
    <section
      className="mu-consent"
      lang={words.lang}
      dir={words.dir}
      aria-labelledby={titleId}
      aria-busy={sending || phase === "loading" || phase === "slow"}
      data-state={standing?.phase ?? (sending ? "sending" : phase)}
    >
      <Header onBack={props.onBack} onClose={props.onClose} texts={texts} />
      <div className="mu-consent-body">
        <h1 id={titleId}>{shown.title}</h1>
        <p className="mu-consent-lead">{shown.description}</p>
        {cleared && texts.cleared && <p role="status">{texts.cleared}</p>}
        {listed && !earlier.known && (
          <Trouble retry={texts.tryAgain} onRetry={earlier.retry}>
            {texts.earlierUnknown ?? texts.loadingSlow}
          </Trouble>
        )}
        {listed ? (
          <TermList
            {...shown}
            declined={!!earlier.known}
            locked={sending || (state.phase === "failed" && state.failure.kind === "slow")}
            texts={texts}
            onToggle={consent.toggle}
            onToggleAll={consent.toggleAll}
            onOpen={open}
          />
        ) : standing && later ? (
          <later.PendingNotice
            state={standing}
            texts={texts as ConsentTexts}
            lang={words.lang}
            courier={courier()}
          />
        ) : (
          <InsteadOfTerms {...loaded} phase={phase} texts={texts} />
        )}
      </div>
      <Dock
        texts={texts}
        state={state}
        failureWords={later?.failureWords}
        ready={listed && !shown.waits}
        missing={consent.missing}
        onSend={consent.send}
      >
        {opened && later && (
          <later.Reader
            // Another tap is another wish, also while the first is on its way.
            key={String(opened.map(({ id }) => id))}
            documents={opened}
            words={words}
            texts={texts as ConsentTexts}
            pdfFrameUrl={props.pdfFrameUrl}
            onRead={consent.read}
            onClose={() => open(undefined)}
            Trouble={Trouble}
          />
        )}
        {opened && later === null && (
          <Trouble retry={texts.tryAgain} onRetry={consent.ask}>
            {texts.viewerFailed ?? texts.loadFailed}
          </Trouble>
        )}
      </Dock>
    </section>
  );
}

interface InsteadOfTermsProps extends Pick<LoadedTerms, "phase" | "retrying" | "reload"> {
  readonly texts: ConsentTextsAtHand;
}

/** Waiting, failed and empty are three things: none may be taken for another. */
function InsteadOfTerms({ phase, retrying, reload, texts }: InsteadOfTermsProps) {
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
  readonly texts: ConsentTextsAtHand;
  readonly state: SubmissionState;
  readonly failureWords: Later["failureWords"] | undefined;
  readonly ready: boolean;
  readonly missing: number;
  readonly onSend: () => void;
  readonly children: ReactNode;
}

/** Always in view: the troubles, what is still missing, and the button. */
function Dock({ texts, state, failureWords, ready, missing, onSend, children }: DockProps) {
  const { phase } = state;
  const left = ready && missing > 0 && texts.requiredLeft(missing);
  return (
    <div className="mu-consent-dock">
      {children}
      {phase === "failed" && (
        <Trouble
          retry={state.failure.kind !== "changed" && missing === 0 && texts.tryAgain}
          onRetry={onSend}
          takeFocus
        >
          {failureWords?.(texts as ConsentTexts, state.failure) ?? texts.submitFailed.offline}
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
