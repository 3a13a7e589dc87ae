import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLanguage } from "../language/language-context";
import { readyQuery } from "../overview/overview-queries";
import factStyles from "../ui/facts.module.css";
import sheetStyles from "../ui/sheet.module.css";
import { Skeleton } from "../ui/skeleton";
import stateStyles from "../ui/state.module.css";
import { LoadFailed } from "../ui/states";
import styles from "./settings.module.css";
import { RETENTION_KEYS, type Settings, settingsQuery } from "./standing-query";
import { useSettingsTexts } from "./texts/texts";

/** The server's version, addresses, retention times and limits. */
export function AboutTab() {
  const settings = useQuery(settingsQuery);
  if (settings.isPending) return <Skeleton rows={4} />;
  if (settings.isError) return <LoadFailed error={settings.error} onRetry={settings.refetch} />;
  return (
    <>
      <Server settings={settings.data} />
      <Retention settings={settings.data} />
      <Limits settings={settings.data} />
    </>
  );
}

interface PartProps {
  readonly settings: Settings;
}

function Fact(props: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </>
  );
}

function Server({ settings }: PartProps) {
  const settingsTexts = useSettingsTexts();
  const { texts } = useLanguage();
  const ready = useQuery(readyQuery);
  const { version, engine, public_url, issuer, cors_origins, flag_key, demo } = settings;
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.overview.server}</h2>
      {demo && <p className={stateStyles.state}>{settingsTexts.isDemo}</p>}
      <dl className={factStyles.facts}>
        <Fact name={texts.overview.version}>
          <bdi>{version}</bdi>
        </Fact>
        <Fact name={settingsTexts.engine}>{texts.overview.engine[engine]}</Fact>
        <Fact name={settingsTexts.state}>
          {ready.data !== undefined &&
            (ready.data ? texts.overview.ready : texts.overview.notReady)}
        </Fact>
        <Fact name={settingsTexts.publicUrl}>
          {public_url ? <bdi className="mono">{public_url}</bdi> : settingsTexts.notSetUp}
        </Fact>
        <Fact name={settingsTexts.issuer}>
          <bdi className="mono">{issuer}</bdi>
        </Fact>
        <Fact name={settingsTexts.corsOrigins}>
          {cors_origins.length === 0
            ? settingsTexts.ownOnly
            : cors_origins.map((cors_origin) => (
                <bdi key={cors_origin} className={`mono ${styles.line}`}>
                  {cors_origin}
                </bdi>
              ))}
        </Fact>
        <Fact name={settingsTexts.riderKey}>
          {flag_key ? <bdi className="mono">{flag_key}</bdi> : settingsTexts.notSetUp}
        </Fact>
      </dl>
    </section>
  );
}

function Retention({ settings: { retention } }: PartProps) {
  const texts = useSettingsTexts();
  const { language } = useLanguage();
  const days = new Intl.NumberFormat(language.tag, {
    style: "unit",
    unit: "day",
    unitDisplay: "long",
  });
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.retention}</h2>
      <p className="note">{texts.retentionHint}</p>
      <dl className={factStyles.facts}>
        {RETENTION_KEYS.map((subject) => (
          <Fact key={subject} name={texts.kept[subject]}>
            {days.format(retention[subject])}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function Limits({ settings: { limits } }: PartProps) {
  const texts = useSettingsTexts();
  const { language } = useLanguage();
  const number = (value: number | undefined) =>
    value === undefined ? texts.unlimited : value.toLocaleString(language.tag);
  // The server's limits are powers of two.
  const size = (bytes: number) => {
    const isSmall = bytes < 1_048_576;
    return (bytes / (isSmall ? 1024 : 1_048_576)).toLocaleString(language.tag, {
      style: "unit",
      unit: isSmall ? "kilobyte" : "megabyte",
      maximumFractionDigits: 1,
    });
  };
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.limits}</h2>
      <dl className={factStyles.facts}>
        <Fact name={texts.submissions}>{number(limits.submissions_per_minute)}</Fact>
        <Fact name={texts.reads}>{number(limits.reads_per_minute)}</Fact>
        <Fact name={texts.documentSize}>{size(limits.document_bytes)}</Fact>
        <Fact name={texts.jsonSize}>{size(limits.json_bytes)}</Fact>
      </dl>
    </section>
  );
}
