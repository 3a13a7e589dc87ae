import { Button } from "@musette/react/ui";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { Link } from "../router/router";
import { rejectionText } from "./action-error";
import type { PendingContest } from "./contest-queue";
import { contestHref } from "./evaluation-item";
import type { ContestProgress } from "./use-contest";

/** Says whether a contest from this device has reached the server. */
export function ContestNote(props: {
  readonly id: string;
  readonly progress: ContestProgress;
  readonly onRetry: (pending: PendingContest) => void;
  readonly onTakeBack?: (pending: PendingContest) => void;
}) {
  const { language, texts } = usePageLanguage();
  const { work } = texts;
  const { progress, onRetry, onTakeBack } = props;
  // The region is always present: a screen reader announces only changes inside an existing region.
  return (
    <div className="work-live" role="status">
      {progress.phase === "sending" && <p>{work.sending}</p>}
      {progress.phase === "recorded" && <p className="card work-done">{work.contested}</p>}
      {"pending" in progress && (
        <section className="card work-section work-waiting">
          <h2>{progress.phase === "unsent" ? work.unsent : work.unanswered}</h2>
          <p>{progress.phase === "unsent" ? work.unsentText : work.unansweredText}</p>
          <p className="note">
            {dateAndTime(language.tag, new Date(progress.pending.at).toISOString())}
          </p>
          <p className="work-message" dir="auto">
            {JSON.parse(progress.pending.body).message}
          </p>
          <div className="ways">
            {progress.phase === "unanswered" && (
              <Button kind="secondary" onClick={() => onRetry(progress.pending)}>
                {texts.tryAgain}
              </Button>
            )}
            {progress.phase === "unsent" && onTakeBack && (
              <Button kind="secondary" onClick={() => onTakeBack(progress.pending)}>
                {work.takeBack}
              </Button>
            )}
          </div>
        </section>
      )}
      {progress.phase === "rejected" && (
        <section className="card work-section">
          <h2>{work.rejected}</h2>
          <p className="failure">{rejectionText(texts, progress.code) ?? texts.failure.refused}</p>
          <p className="work-message" dir="auto">
            {progress.body.message}
          </p>
          {!onTakeBack && progress.code !== "contest_closed" && (
            <p>
              <Link href={contestHref(props.id)}>{work.contest}</Link>
            </p>
          )}
        </section>
      )}
    </div>
  );
}
