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
  const words = useSettingsTexts();
  const { texts } = useLanguage();
  const ready = useQuery(readyQuery);
  const { version, engine, public_url, issuer, cors_origins, flag_key, demo } = settings;
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.overview.server}</h2>
      {demo && <p className={stateStyles.state}>{words.isDemo}</p>}
      <dl className={factStyles.facts}>
        <Fact name={texts.overview.version}>
          <bdi>{version}</bdi>
        </Fact>
        <Fact name={words.engine}>{texts.overview.engine[engine]}</Fact>
        <Fact name={words.state}>
          {ready.data !== undefined &&
            (ready.data ? texts.overview.ready : texts.overview.notReady)}
        </Fact>
        <Fact name={words.publicUrl}>
          {public_url ? <bdi className="mono">{public_url}</bdi> : words.notSetUp}
        </Fact>
        <Fact name={words.issuer}>
          <bdi className="mono">{issuer}</bdi>
        </Fact>
        <Fact name={words.corsOrigins}>
          {cors_origins.length === 0
            ? words.ownOnly
            : cors_origins.map((it) => (
                <bdi key={it} className={`mono ${styles.line}`}>
                  {it}
                </bdi>
              ))}
        </Fact>
        <Fact name={words.riderKey}>
          {flag_key ? <bdi className="mono">{flag_key}</bdi> : words.notSetUp}
        </Fact>
      </dl>
    </section>
  );
}

function Retention({ settings: { retention } }: PartProps) {
  const words = useSettingsTexts();
  const { language } = useLanguage();
  const days = new Intl.NumberFormat(language.tag, {
    style: "unit",
    unit: "day",
    unitDisplay: "long",
  });
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{words.retention}</h2>
      <p className="note">{words.retentionHint}</p>
      <dl className={factStyles.facts}>
        {RETENTION_KEYS.map((kept) => (
          <Fact key={kept} name={words.kept[kept]}>
            {days.format(retention[kept])}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function Limits({ settings: { limits } }: PartProps) {
  const words = useSettingsTexts();
  const { language } = useLanguage();
  const number = (value: number | undefined) =>
    value === undefined ? words.unlimited : value.toLocaleString(language.tag);
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
      <h2>{words.limits}</h2>
      <dl className={factStyles.facts}>
        <Fact name={words.submissions}>{number(limits.submissions_per_minute)}</Fact>
        <Fact name={words.reads}>{number(limits.reads_per_minute)}</Fact>
        <Fact name={words.documentSize}>{size(limits.document_bytes)}</Fact>
        <Fact name={words.jsonSize}>{size(limits.json_bytes)}</Fact>
      </dl>
    </section>
  );
}
