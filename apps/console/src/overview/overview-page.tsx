import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { auditQuery } from "../audit/audit-query";
import { useInstant } from "../language/dates";
import { inLanguage } from "../language/in-language";
import { useLanguage } from "../language/language-context";
import { ForAuditReaders } from "../ui/for-audit-readers";
import { Page } from "../ui/page";
import { ShareBar } from "../ui/share-bar";
import stateStyles from "../ui/state.module.css";
import { LoadFailed, Loading } from "../ui/states";
import { FirstSteps } from "./first-steps";
import styles from "./overview.module.css";
import {
  checkpointQuery,
  logQuery,
  type MandatoryTerm,
  overviewQuery,
  readyQuery,
} from "./overview-queries";

export function OverviewPage() {
  const { texts } = useLanguage();
  return (
    <Page title={texts.overview.title}>
      <FirstSteps />
      <div className={styles.tiles}>
        <ServerTile />
        <LogTile />
      </div>
      <Agreed />
      <ForAuditReaders isQuiet>
        <Recent />
      </ForAuditReaders>
    </Page>
  );
}

function ServerTile() {
  const { texts } = useLanguage();
  const written = useInstant();
  const ready = useQuery(readyQuery);
  const { data } = useQuery(overviewQuery);
  return (
    <section className={`card ${styles.tile}`}>
      <h2>
        <Link className={styles.toAll} to="/settings/about">
          {texts.overview.server}
        </Link>
      </h2>
      {ready.isPending ? (
        <Loading />
      ) : (
        <p className={stateStyles.state} data-state={ready.data ? "good" : "bad"}>
          {ready.data ? texts.overview.ready : texts.overview.notReady}
        </p>
      )}
      {data && (
        <p className="note">
          {texts.overview.version} <bdi>{data.version}</bdi> · {texts.overview.engine[data.engine]}
        </p>
      )}
      {data && (
        <p
          className={stateStyles.state}
          data-state={data.code_delivery === "log" ? "warning" : "good"}
        >
          {texts.overview.delivery[data.code_delivery]}
        </p>
      )}
      {data && (
        <p className="note">
          {data.first_steps.last_backup_at
            ? texts.overview.firstSteps.lastBackup(written(data.first_steps.last_backup_at))
            : texts.overview.firstSteps.noBackup}
        </p>
      )}
    </section>
  );
}

function LogTile() {
  const { texts } = useLanguage();
  const checkpoint = useQuery(checkpointQuery);
  const { data: counts } = useQuery({ ...logQuery, enabled: Boolean(checkpoint.data) });
  return (
    <section className={`card ${styles.tile}`}>
      <h2>
        <Link className={styles.toAll} to="/consents/log">
          {texts.overview.log}
        </Link>
      </h2>
      {checkpoint.isPending && <Loading />}
      {checkpoint.isError && <LoadFailed error={checkpoint.error} onRetry={checkpoint.refetch} />}
      {checkpoint.isSuccess &&
        (checkpoint.data ? (
          <>
            {counts?.decisions !== undefined && (
              <p className={stateStyles.figure}>{texts.overview.decisions(counts.decisions)}</p>
            )}
            <p>
              {counts?.submissions !== undefined &&
                `${texts.overview.submissions(counts.submissions)} · `}
              {texts.overview.logSize(checkpoint.data.size)}
            </p>
            <p className="note">
              {texts.overview.root} <code dir="ltr">{checkpoint.data.root}</code>
            </p>
          </>
        ) : (
          <p>{texts.overview.logEmpty}</p>
        ))}
    </section>
  );
}

/** How many riders have agreed to each mandatory term. */
function Agreed() {
  const { texts } = useLanguage();
  const overview = useQuery(overviewQuery);
  const mandatory = overview.data?.mandatory ?? [];
  return (
    <section className="card">
      <h2>
        <Link className={styles.toAll} to="/terms">
          {texts.overview.agreed}
        </Link>
      </h2>
      {overview.isPending && <Loading />}
      {overview.isError && <LoadFailed error={overview.error} onRetry={overview.refetch} />}
      {overview.isSuccess && mandatory.length === 0 && (
        <p className="note">{texts.overview.noTerms}</p>
      )}
      <ul className={styles.agreed}>
        {mandatory.map((term) => (
          <AgreedTerm key={term.id} term={term} />
        ))}
      </ul>
    </section>
  );
}

function AgreedTerm({ term }: { readonly term: MandatoryTerm }) {
  const { texts, language } = useLanguage();
  const number = (of: number) => of.toLocaleString(language.tag);
  const { riders, riders_outstanding: outstanding } = term;
  const isCounted = riders !== undefined && outstanding !== undefined;
  const agreed = isCounted ? riders - outstanding : 0;
  return (
    <li>
      <Link
        className={styles.toOne}
        to="/terms/$termId/coverage"
        params={{ termId: String(term.id) }}
      >
        <bdi>{inLanguage(term.titles, language.tag)?.title ?? term.title}</bdi>
      </Link>
      <span className="note">
        {isCounted
          ? texts.overview.ridersAgreed(number(agreed), number(riders))
          : texts.overview.counting}
      </span>
      <ShareBar share={agreed / Math.max(riders ?? 1, 1)} />
    </li>
  );
}

function Recent() {
  const { texts } = useLanguage();
  const written = useInstant();
  const recent = useQuery(auditQuery({}, undefined, 6));
  return (
    <section className="card">
      <h2>{texts.overview.recent}</h2>
      {recent.isPending && <Loading />}
      {recent.isError && <LoadFailed error={recent.error} onRetry={recent.refetch} />}
      <ul className={styles.recent}>
        {recent.data?.items.map(({ id, at, event, user_id }) => (
          <li key={id}>
            <span>{texts.audit.events[event] ?? event}</span>
            {user_id && <bdi className="mono">{user_id}</bdi>}
            <time dateTime={at}>{written(at)}</time>
          </li>
        ))}
      </ul>
      <Link to="/audit">{texts.overview.allEvents}</Link>
    </section>
  );
}
