import { Button } from "@musette/react/ui";
import { useCallback, useEffect, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { FailureText, LoadFailed, LoadingCards, useWhenResumed } from "../loading/states";
import { AsOf } from "../offline/offline-note";
import { useStoredLoad } from "../offline/use-stored-load";
import { useEnded, useUserId } from "../session/session";
import { SignedOut } from "../sign-in/signed-out";
import { CHANNEL } from "../terms/worker-messages";
import { pendingContests } from "../work-record/contest-queue";
import type { Evaluation } from "../work-record/evaluation";
import { fetchEvaluations, saveRecord } from "../work-record/evaluation-calls";
import { EvaluationItem } from "../work-record/evaluation-item";
import { SaveButton } from "../work-record/save-button";
import { PrintButton } from "./print-button";

/** The records of the rider's work, newest first. */
export function WorkRecordPage() {
  const userId = useUserId();
  const ended = useEnded();
  return userId ? <WorkRecord key={userId} userId={userId} /> : <SignedOut ended={ended} />;
}

function WorkRecord({ userId }: { readonly userId: string }) {
  const { texts } = usePageLanguage();
  const load = useCallback(() => fetchEvaluations(userId), [userId]);
  const loaded = useStoredLoad("work record", load);
  useWhenResumed(loaded.reload);
  const isEmpty = loaded.state === "ready" && loaded.value.items.length === 0;
  return (
    <>
      <h1>{texts.work.title}</h1>
      {!isEmpty && <p className="lead">{texts.work.intro}</p>}
      {loaded.state === "loading" && <LoadingCards />}
      {loaded.state === "failed" && <LoadFailed error={loaded.error} onRetry={loaded.reload} />}
      {loaded.state === "ready" && (
        <>
          <AsOf at={loaded.keptAt} />
          {isEmpty ? (
            <p className="card">{texts.work.empty}</p>
          ) : (
            <EvaluationList key={JSON.stringify(loaded.value)} userId={userId} {...loaded.value} />
          )}
          <section className="card work-section">
            <h2>{texts.work.download}</h2>
            <p>{texts.work.downloadText}</p>
            <SaveButton label={texts.work.download} onSave={saveRecord} />
            <p>{texts.work.printText}</p>
            <PrintButton userId={userId} />
          </section>
        </>
      )}
    </>
  );
}

function EvaluationList(props: {
  readonly userId: string;
  readonly items: readonly Evaluation[];
  readonly next?: string | null;
}) {
  const { texts } = usePageLanguage();
  const unsent = useUnsent(props.userId);
  const [more, setMore] = useState<readonly Evaluation[]>([]);
  const [next, setNext] = useState(props.next);
  const [state, setState] = useState<{ readonly loading?: true; readonly error?: unknown }>({});

  async function fetchMore(after: string): Promise<void> {
    setState({ loading: true });
    try {
      const page = await fetchEvaluations(props.userId, after);
      setMore((items) => [...items, ...page.items]);
      setNext(page.next);
      setState({});
    } catch (error) {
      setState({ error });
    }
  }

  return (
    <>
      <ul className="cards">
        {[...props.items, ...more].map((evaluation) => (
          <EvaluationItem
            key={evaluation.id}
            evaluation={evaluation}
            isUnsent={unsent.includes(evaluation.id)}
          />
        ))}
      </ul>
      {state.error !== undefined && <FailureText error={state.error} />}
      {next && (
        <Button kind="secondary" loading={state.loading ?? false} onClick={() => fetchMore(next)}>
          {texts.work.more}
        </Button>
      )}
    </>
  );
}

/** Returns the ids of the evaluations with a contest that the server has not confirmed. */
function useUnsent(userId: string): readonly string[] {
  const [ids, setIds] = useState<readonly string[]>([]);
  useEffect(() => {
    let current = true;
    const look = () =>
      pendingContests(userId).then((contests) => {
        const waiting = contests.filter(({ settled }) => !settled);
        if (current) setIds(waiting.map(({ termsType }) => termsType));
      });
    look();
    const settled = globalThis.BroadcastChannel && new BroadcastChannel(CHANNEL);
    settled?.addEventListener("message", look);
    return () => {
      current = false;
      settled?.close();
    };
  }, [userId]);
  return ids;
}
