import styles from "./results.module.css";
import { useResultsTexts } from "./texts/texts";

interface HowToSendProps {
  /** An example exposure event. */
  readonly event: Readonly<Record<string, string | number>>;
  readonly client: string;
}

const call = (key: string) => `Authorization: Bearer <${key}>\n\n`;
const body = (row: object) => JSON.stringify([row], undefined, 1).replace(/\n\s*/g, " ");

/** Explains on an empty page how to send events. */
export function HowToSend({ event, client }: HowToSendProps) {
  const texts = useResultsTexts();
  return (
    <section className={`card ${styles.howToSend}`}>
      <h2>{texts.nobody}</h2>
      <p>{texts.nobodyText}</p>
      <h3>{texts.sendClient}</h3>
      <Code text={client} />
      <h3>{texts.sendServer}</h3>
      <Code text={`POST /api/flags/v3/events\n${call("flag key")}${body(event)}`} />
      <h3>{texts.sendMetric}</h3>
      <MetricCall metric="orders" />
    </section>
  );
}

/** How to report a value of a metric. */
export function MetricCall({ metric }: { readonly metric: string }) {
  const value = { id: "…", unit: "rider-1", metric, value: 1, at: new Date().toISOString() };
  return <Code text={`POST /api/flags/v3/metrics\n${call("server key")}${body(value)}`} />;
}

function Code({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways, which the keyboard must reach
    <pre dir="ltr" tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}
