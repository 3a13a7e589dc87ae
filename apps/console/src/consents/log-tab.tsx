import { Button } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { fileNameWithDate, saveFile } from "../api/download";
import type { Wire } from "../api/wire";
import { useInstant } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { CopyButton } from "../ui/copy-button";
import sheetStyles from "../ui/sheet.module.css";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import styles from "./consents.module.css";
import { logQuery } from "./consents-queries";
import { useConsentsTexts } from "./texts/texts";

/** The state of the consent log, and how to verify it. */
export function LogTab() {
  const log = useQuery(logQuery);
  if (log.isPending) return <Skeleton rows={6} />;
  if (log.isError) return <LoadFailed error={log.error} onRetry={log.refetch} />;
  return (
    <>
      <LogState log={log.data} />
      <Verified log={log.data} />
      <Checkpoint log={log.data} />
      {log.data.earlier.length > 0 && <EarlierLogs log={log.data} />}
    </>
  );
}

interface LogProps {
  readonly log: Wire<"LogBody">;
}

function LogState({ log }: LogProps) {
  const texts = useConsentsTexts();
  const written = useInstant();
  const { language } = useLanguage();
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.logTitle}</h2>
      <p className="note">{texts.logHint}</p>
      <dl className={styles.logFacts}>
        {log.decisions !== undefined && (
          <>
            <dt>{texts.decisions}</dt>
            <dd>{log.decisions.toLocaleString(language.tag)}</dd>
          </>
        )}
        {log.submissions !== undefined && (
          <>
            <dt>{texts.submissions}</dt>
            <dd>{log.submissions.toLocaleString(language.tag)}</dd>
          </>
        )}
        <dt>{texts.size}</dt>
        <dd>{log.size.toLocaleString(language.tag)}</dd>
        <dt>{texts.lastEntry}</dt>
        <dd>
          {log.last_entry_at ? (
            <time dateTime={log.last_entry_at}>{written(log.last_entry_at)}</time>
          ) : (
            texts.noEntry
          )}
        </dd>
        <dt>{texts.root}</dt>
        <dd>
          <bdi className="mono">{log.root}</bdi>
        </dd>
        <dt>{texts.logName}</dt>
        <dd>
          <bdi className="mono">{log.origin}</bdi>
        </dd>
        <dt>{texts.vkey}</dt>
        <dd>
          <bdi className="mono">{log.vkey}</bdi>
        </dd>
      </dl>
    </section>
  );
}

function Verified({ log: { verified, size } }: LogProps) {
  const texts = useConsentsTexts();
  const written = useInstant();
  const { language } = useLanguage();
  const number = (value: number) => value.toLocaleString(language.tag);
  const command = "musette log verify";
  const tone = verified ? (verified.faults > 0 ? "bad" : "good") : "warning";
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.verification}</h2>
      <p>
        <span className="chip" data-tone={tone}>
          {verified
            ? verified.faults > 0
              ? texts.errors(verified.faults)
              : texts.noErrors
            : texts.neverVerified}
        </span>
      </p>
      {verified && (
        <p>
          {texts.verifiedAt(written(verified.at), number(verified.entries))}
          {size > verified.entries && ` ${texts.newSince(number(size - verified.entries))}`}
        </p>
      )}
      <p className="note">{texts.verifyHow}</p>
      <div className={styles.command}>
        <code dir="ltr">{command}</code>
        <CopyButton text={command} label={texts.copy} />
      </div>
    </section>
  );
}

function Checkpoint({ log }: LogProps) {
  const texts = useConsentsTexts();
  const save = () =>
    saveFile(
      new Blob([log.checkpoint], { type: "text/plain" }),
      `${fileNameWithDate(`checkpoint-${log.size}`)}.txt`,
    );
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.checkpoint}</h2>
      <p className="note">{texts.checkpointHint}</p>
      <pre className="mono" dir="ltr">
        {log.checkpoint}
      </pre>
      <div className={styles.inlineButtons}>
        <Button kind="secondary" onClick={save}>
          {texts.downloadCheckpoint}
        </Button>
        <CopyButton text={log.checkpoint} label={texts.copy} />
      </div>
    </section>
  );
}

function EarlierLogs({ log }: LogProps) {
  const texts = useConsentsTexts();
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.earlier}</h2>
      <p className="note">{texts.earlierHint}</p>
      <ul className={styles.earlier}>
        {log.earlier.map(({ origin, vkey }) => (
          <li key={origin}>
            <bdi className="mono">{vkey}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
