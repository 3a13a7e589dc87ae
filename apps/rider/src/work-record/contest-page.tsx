import { useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { LoadFailed, LoadingCards } from "../loading/states";
import { storedAnswer, storeForUser } from "../offline/stored-answers";
import { Link, navigate } from "../router/router";
import { useEnded, useUserId } from "../session/session";
import { SignedOut } from "../sign-in/signed-out";
import { type Claim, EMPTY_CLAIM } from "./claim";
import { ContestForm } from "./contest-form";
import { ContestNote } from "./contest-note";
import { contestState } from "./evaluation";
import { problemCode } from "./evaluation-calls";
import { evaluationHref } from "./evaluation-item";
import { Missing } from "./evaluation-page";
import { useContest } from "./use-contest";
import { useEvaluation, useEvaluationId } from "./use-evaluation-page";

const draftName = (id: string) => `contest draft ${id}`;

/** The screen on which a rider contests a record. */
export function ContestPage() {
  const userId = useUserId();
  const ended = useEnded();
  const id = useEvaluationId();
  if (!userId) return <SignedOut ended={ended} />;
  return id ? <Contest key={`${userId} ${id}`} userId={userId} id={id} /> : <Missing />;
}

function Contest({ userId, id }: { readonly userId: string; readonly id: string }) {
  const { texts } = usePageLanguage();
  const loaded = useEvaluation(userId, id);
  const [claim, setClaim] = useState<Claim>(
    () => storedAnswer<Claim>(draftName(id))?.value ?? EMPTY_CLAIM,
  );
  const { progress, contest, retry, takeBack } = useContest(userId, id, () => {
    storeForUser(userId, draftName(id), EMPTY_CLAIM);
    navigate(evaluationHref(id), { replace: true });
  });

  function change(next: Claim): void {
    setClaim(next);
    storeForUser(userId, draftName(id), next);
  }

  const isWaiting =
    progress !== undefined && ("pending" in progress || progress.phase === "recorded");
  return (
    <>
      <h1>{texts.work.contest}</h1>
      {loaded.state === "loading" && <LoadingCards count={2} />}
      {loaded.state === "failed" &&
        (problemCode(loaded.error) === "not_found" ? (
          <p className="card">{texts.work.missing}</p>
        ) : (
          <LoadFailed error={loaded.error} onRetry={loaded.reload} />
        ))}
      {progress && (
        <ContestNote id={id} progress={progress} onRetry={retry} onTakeBack={takeBack} />
      )}
      {loaded.state === "ready" && progress && !isWaiting && (
        <ContestForm
          evaluation={loaded.value}
          state={contestState(loaded.value, new Date())}
          claim={claim}
          sending={progress.phase === "sending"}
          onChange={change}
          onSend={contest}
        />
      )}
      <p>
        <Link className="mu-button" data-kind="quiet" href={evaluationHref(id)}>
          {texts.work.back}
        </Link>
      </p>
    </>
  );
}
