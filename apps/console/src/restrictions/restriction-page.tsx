import { HttpError } from "@musette/client/http";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMay } from "../api/use-may";
import { useInstant } from "../language/dates";
import { useMinute } from "../language/use-day";
import { ForRoles } from "../ui/for-roles";
import { Page } from "../ui/page";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { Preview } from "./preview";
import { RestrictionActions } from "./restriction-actions";
import styles from "./restrictions.module.css";
import { type RestrictionDetail, restrictionQuery } from "./restrictions-queries";
import { StatusChip } from "./status-chip";
import { useRestrictionsTexts } from "./texts/texts";

/** One restriction as the rider reads it, with its review, its history and the next steps. */
export function RestrictionPage() {
  const texts = useRestrictionsTexts();
  const { restrictionId: id } = useParams({ from: "/inside/restrictions/$restrictionId" });
  const query = useQuery(restrictionQuery(id));
  const isAbsent = query.error instanceof HttpError && [400, 404].includes(query.error.status);
  const kind = query.data?.kind;
  return (
    <Page title={kind ? texts.kinds[kind] : texts.title} intro={query.data?.user_id}>
      <Link to="/restrictions" className={styles.back}>
        {texts.back}
      </Link>
      <ForRoles task="evaluations">
        {query.isPending && <Skeleton rows={6} />}
        {isAbsent && <p className="card calm">{texts.notHere}</p>}
        {query.isError && !isAbsent && <LoadFailed error={query.error} onRetry={query.refetch} />}
        {query.data && <Content restriction={query.data} />}
      </ForRoles>
    </Page>
  );
}

function Content({ restriction }: { readonly restriction: RestrictionDetail }) {
  const texts = useRestrictionsTexts();
  const may = useMay();
  const minute = useMinute();
  const { user_id: userId, status, ended_at: ended, lift_message: lift, review } = restriction;
  return (
    <>
      <div className={styles.head}>
        <StatusChip status={status} />
        {may("personal") && (
          <Link to="/people/$userId" params={{ userId }} className="mono">
            <bdi>{userId}</bdi>
          </Link>
        )}
        {ended && <span className="note">{texts.endedAt(minute(ended))}</span>}
      </div>
      <section className={`card ${styles.section}`}>
        <h2>{texts.forRider}</h2>
        {Object.keys(restriction.statement).map((locale) => (
          <Preview key={locale} content={restriction} locale={locale} />
        ))}
        {lift && lift !== review?.answer && (
          <p className={styles.message} dir="auto">
            {lift}
          </p>
        )}
      </section>
      {review && (
        <section className={`card ${styles.section}`}>
          <h2>{texts.review}</h2>
          <p className={styles.message} dir="auto">
            {review.message}
          </p>
          <p className="note">
            {review.outcome
              ? texts.outcomes[review.outcome]
              : texts.dueBy(minute(review.answer_due))}
          </p>
          {review.answer && (
            <p className={styles.message} dir="auto">
              {review.answer}
            </p>
          )}
        </section>
      )}
      <RestrictionActions restriction={restriction} />
      <History restriction={restriction} />
    </>
  );
}

function History({ restriction }: { readonly restriction: RestrictionDetail }) {
  const texts = useRestrictionsTexts();
  const instant = useInstant();
  return (
    <section className={`card ${styles.section}`}>
      <h2>{texts.history}</h2>
      <ol className={styles.history}>
        {[...restriction.history].reverse().map(({ version, to, by, at }) => (
          <li key={version}>
            <StatusChip status={to} />
            <span>
              {by.role ? texts.roles[by.role] : texts.makers[by.kind]}{" "}
              {by.user_id && <bdi className="mono">{by.user_id}</bdi>}
            </span>
            {/* The request for a review is the only version of a rider, and keeps the status. */}
            {by.kind === "rider" && <span>{texts.review}</span>}
            <time className="note" dateTime={at}>
              {instant(at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
