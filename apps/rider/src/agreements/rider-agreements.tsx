import { DEFAULT_TERMS_TYPE, type PastConsent } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { useCallback, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { FailureText, LoadFailed, LoadingCards } from "../loading/states";
import { AsOf } from "../offline/offline-note";
import { useStoredLoad } from "../offline/use-stored-load";
import { JoinOffers } from "../receipts/join-offers";
import { Link } from "../router/router";
import { pendingStep, pendingTexts } from "../terms/pending-texts";
import { decisionOf } from "../terms/receipt";
import { termsClient } from "../terms/terms-client";
import { usePending } from "../terms/use-pending";
import { AgreementCard } from "./agreement-card";
import { outcomeIn, riderAgreements } from "./agreements";
import { HistoryList } from "./history-list";
import { NothingAgreed } from "./nothing-agreed";

const PAGE = 100;

export function RiderAgreements({ userId }: { readonly userId: string }) {
  const { language, texts } = usePageLanguage();
  const load = useCallback(async () => {
    const client = termsClient(language.tag, userId);
    const [terms, { consents }, { history }] = await Promise.all([
      client.fetchTerms({ userId, termsType: DEFAULT_TERMS_TYPE }),
      client.fetchConsents(userId),
      client.fetchHistory(userId, { limit: PAGE }),
    ]);
    return { terms, consents, history };
  }, [userId, language.tag]);
  const loaded = useStoredLoad(`agreements ${language.tag}`, load);
  const older = useOlderHistory(userId);
  const pending = usePending(userId);

  if (loaded.state === "loading") return <LoadingCards />;
  if (loaded.state === "failed") {
    return <LoadFailed error={loaded.error} onRetry={loaded.reload} />;
  }
  const { terms, consents, history } = loaded.value;
  if (history.length === 0) {
    return (
      <>
        <JoinOffers userId={userId} onJoined={loaded.reload} />
        <NothingAgreed userId={userId} />
      </>
    );
  }
  const past = [...history, ...older.history];
  const decisions = past.map(decisionOf);
  const hasMore = older.hasMore ?? history.length === PAGE;

  return (
    <>
      <p className="lead">{texts.agreements.intro}</p>
      <AsOf at={loaded.keptAt} />
      <JoinOffers userId={userId} onJoined={loaded.reload} />
      {pending && pending.at === "/terms" && (
        <div className="card">
          <p>
            <strong>{pendingTexts(texts, pending.state).title}</strong>
          </p>
          <p>{pendingTexts(texts, pending.state).text}</p>
          <Link className="mu-button" data-kind="secondary" href={pending.at}>
            {pendingStep(texts, pending.state)}
          </Link>
        </div>
      )}
      <ul className="cards">
        {riderAgreements(terms, consents, decisions).map((agreement) => (
          <AgreementCard
            key={agreement.term.id}
            agreement={agreement}
            outcome={outcomeIn(agreement, decisions)}
            decider={{ userId, receiptId: undefined }}
            onDecided={loaded.reload}
          />
        ))}
      </ul>
      <HistoryList decisions={decisions} />
      {older.error !== undefined && <FailureText error={older.error} />}
      {hasMore && (
        <Button kind="secondary" loading={older.loading} onClick={() => older.load(past.at(-1))}>
          {texts.agreements.earlier}
        </Button>
      )}
      <Link className="mu-button" data-kind="quiet" href="/receipt">
        {texts.join.other}
      </Link>
    </>
  );
}

/** Fetches the pages of the history after the first one when the rider asks for them. */
function useOlderHistory(userId: string) {
  const { language } = usePageLanguage();
  const [history, setHistory] = useState<readonly PastConsent[]>([]);
  const [hasMore, setHasMore] = useState<boolean>();
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>();

  async function load(oldest: PastConsent | undefined): Promise<void> {
    if (!oldest) return;
    setLoading(true);
    setError(undefined);
    try {
      const page = await termsClient(language.tag, userId).fetchHistory(userId, {
        limit: PAGE,
        before: oldest.seq,
      });
      setHistory((known) => [...known, ...page.history]);
      setHasMore(page.history.length === PAGE);
    } catch (failure) {
      setError(failure);
    } finally {
      setLoading(false);
    }
  }

  return { history, hasMore, loading, error, load };
}
