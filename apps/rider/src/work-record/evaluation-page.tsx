import { StatusBadge } from "@musette/react/ui";
import { usePageLanguage } from "../language/page-language";
import { LoadFailed, LoadingCards, useWhenResumed } from "../loading/states";
import { AsOf } from "../offline/offline-note";
import { Link } from "../router/router";
import { useEnded, useUserId } from "../session/session";
import { SignedOut } from "../sign-in/signed-out";
import { ContestNote } from "./contest-note";
import { DiscussionCard } from "./discussion-card";
import type { EvaluationDetail } from "./evaluation";
import { EvaluationActions } from "./evaluation-actions";
import { problemCode, saveReceipts } from "./evaluation-calls";
import { EvaluationFacts } from "./evaluation-facts";
import { EvaluationHistory } from "./evaluation-history";
import { WorkTitle } from "./evaluation-item";
import { SaveButton } from "./save-button";
import { useContest } from "./use-contest";
import { useEvaluation, useEvaluationId } from "./use-evaluation-page";

/** One record, with its reasons, its decider, its discussion and the rider's next steps. */
export function EvaluationPage() {
  const userId = useUserId();
  const ended = useEnded();
  const id = useEvaluationId();
  if (!userId) return <SignedOut ended={ended} />;
  return id ? <EvaluationOf key={`${userId} ${id}`} userId={userId} id={id} /> : <Missing />;
}

export function Missing() {
  const { texts } = usePageLanguage();
  return (
    <>
      <h1>{texts.work.evaluation}</h1>
      <p className="card">{texts.work.missing}</p>
      <ToList />
    </>
  );
}

function ToList() {
  const { texts } = usePageLanguage();
  return (
    <p>
      <Link className="mu-button" data-kind="quiet" href="/work-record">
        {texts.work.all}
      </Link>
    </p>
  );
}

function EvaluationOf({ userId, id }: { readonly userId: string; readonly id: string }) {
  const loaded = useEvaluation(userId, id);
  const { reload } = loaded;
  useWhenResumed(reload);
  if (loaded.state === "loading") return <LoadingCards />;
  if (loaded.state === "failed") {
    if (problemCode(loaded.error) === "not_found") return <Missing />;
    return <LoadFailed error={loaded.error} onRetry={reload} />;
  }
  return (
    <>
      <AsOf at={loaded.keptAt} />
      <Loaded userId={userId} evaluation={loaded.value} onChanged={reload} />
    </>
  );
}

function Loaded(props: {
  readonly userId: string;
  readonly evaluation: EvaluationDetail;
  readonly onChanged: () => void;
}) {
  const { texts } = usePageLanguage();
  const { userId, evaluation, onChanged } = props;
  const { id, status, subject, discussion } = evaluation;
  const contest = useContest(userId, id, onChanged);
  return (
    <>
      <div className="work-head">
        <h1>
          <WorkTitle evaluation={evaluation} />
        </h1>
        <p className="work-status">
          <StatusBadge status={status} label={texts.work.status[status]} />
          <bdi className="note">{subject.reference}</bdi>
        </p>
      </div>
      {contest.progress && (
        <ContestNote id={id} progress={contest.progress} onRetry={contest.retry} />
      )}
      <EvaluationFacts evaluation={evaluation} />
      {discussion && <DiscussionCard {...props} discussion={discussion} />}
      <EvaluationActions
        {...props}
        isContesting={contest.progress !== undefined && "pending" in contest.progress}
      />
      <EvaluationHistory history={evaluation.history} />
      <section className="card work-section">
        <h2>{texts.work.receipts}</h2>
        <p>{texts.work.receiptsText}</p>
        <SaveButton label={texts.work.receipts} onSave={() => saveReceipts(userId, id)} />
      </section>
      <ToList />
    </>
  );
}
