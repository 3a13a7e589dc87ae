import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMay } from "../api/use-may";
import { useRoles } from "../api/use-roles";
import { auditQuery } from "../audit/audit-query";
import { useInstant } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { ForAuditReaders } from "../ui/for-audit-readers";
import { Page } from "../ui/page";
import stateStyles from "../ui/state.module.css";
import { LoadFailed, Loading } from "../ui/states";
import { Acceptance } from "./acceptance";
import { Attention } from "./attention";
import { FindPerson } from "./find-person";
import { FirstSteps } from "./first-steps";
import styles from "./overview.module.css";
import { checkpointQuery, logQuery, overviewQuery, readyQuery } from "./overview-queries";
import { RepresentativeHome } from "./representative-home";
import { RunningExperiments } from "./running-experiments";

export function OverviewPage() {
  const { texts } = useLanguage();
  const roles = useRoles();
  const readsCompanyData = useMay()("company data");
  // Other roles have no task that begins with the state of the server.
  const runsTheServer = ["admin", "operator"].some((role) => roles.includes(role));
  if (!readsCompanyData) return <RepresentativeHome />;
  return (
    <Page title={texts.overview.title}>
      <FindPerson />
      <Attention />
      <FirstSteps />
      <Acceptance />
      <RunningExperiments />
      {runsTheServer && (
        <>
          <div className={styles.tiles}>
            <ServerTile />
            <LogTile />
          </div>
          <ForAuditReaders isQuiet>
            <Recent />
          </ForAuditReaders>
        </>
      )}
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
