import { useLanguage } from "../language/language-context";
import { useMinute } from "../language/use-day";
import factStyles from "../ui/facts.module.css";
import { Changes } from "./changes";
import { Description } from "./description";
import styles from "./systems.module.css";
import type { SystemVersion } from "./systems-queries";
import { useSystemsTexts } from "./texts/texts";

export type VersionStatus = "inEffect" | "scheduled" | "replaced";

/** Returns the status of a version among all versions, newest first. */
export function statusOf(
  version: SystemVersion,
  versions: readonly SystemVersion[],
  now: number,
): VersionStatus {
  // The register does not show a version before its publication.
  const begins = ({ effective_from: from, published_at: at }: SystemVersion) =>
    Math.max(Date.parse(from), Date.parse(at));
  const current = versions.find((one) => begins(one) <= now);
  if (version === current) return "inEffect";
  const isNewer = !current || version.version > current.version;
  return isNewer ? "scheduled" : "replaced";
}

const TONES = { inEffect: "good", scheduled: "warning", replaced: undefined } as const;

export function VersionChip({ status }: { readonly status: VersionStatus }) {
  const texts = useSystemsTexts();
  return (
    <span className="chip" data-tone={TONES[status]}>
      {texts.status[status]}
    </span>
  );
}

/** The published versions, newest first, each with its differences from the previous one. */
export function Versions({ versions }: { readonly versions: readonly SystemVersion[] }) {
  const texts = useSystemsTexts();
  const now = Date.now();
  return (
    <section className={styles.versions} aria-labelledby="system-versions">
      <h2 id="system-versions">{texts.versions}</h2>
      {versions.map((version) => (
        <VersionCard
          key={version.version}
          version={version}
          status={statusOf(version, versions, now)}
        />
      ))}
    </section>
  );
}

function VersionCard(props: { readonly version: SystemVersion; readonly status: VersionStatus }) {
  const texts = useSystemsTexts();
  const { tag } = useLanguage().language;
  const minute = useMinute();
  const { version, status } = props;
  const number = version.version.toLocaleString(tag);
  return (
    <article className={`card ${styles.fields}`}>
      <div className={styles.head}>
        <h3>{texts.version(number)}</h3>
        <VersionChip status={status} />
      </div>
      <dl className={factStyles.facts}>
        <dt>{texts.effectiveFrom}</dt>
        <dd>
          <time dateTime={version.effective_from}>{minute(version.effective_from)}</time>
        </dd>
        <dt>{texts.publishedAt}</dt>
        <dd>
          <time dateTime={version.published_at}>{minute(version.published_at)}</time>
        </dd>
        <dt>{texts.hash}</dt>
        <dd>
          <bdi className="mono" dir="ltr">
            {version.sha256}
          </bdi>
        </dd>
      </dl>
      {version.version === 1 ? (
        <p className="note">{texts.firstVersion}</p>
      ) : (
        <>
          <h4>{texts.changes}</h4>
          <Changes changes={version.changes} />
        </>
      )}
      <details className={styles.fold}>
        <summary>{texts.show}</summary>
        <Description body={version} />
      </details>
    </article>
  );
}
