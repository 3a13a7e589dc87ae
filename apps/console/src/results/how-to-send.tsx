import { useResultsTexts } from "./texts/texts";

interface HowToSendProps {
  /** One event of participation, as it is sent. */
  readonly event: Readonly<Record<string, string | number>>;
  readonly client: string;
}

/** Teaches what an empty page waits for. */
export function HowToSend({ event, client }: HowToSendProps) {
  const words = useResultsTexts();
  const body = (rows: readonly object[]) =>
    JSON.stringify(rows, undefined, 1).replace(/\n\s*/g, " ");
  const metric = {
    id: "…",
    unit: event.unit,
    metric: "orders",
    value: 1,
    at: event.at,
  };
  return (
    <section className="card how-to-send">
      <h2>{words.nobody}</h2>
      <p>{words.nobodyText}</p>
      <h3>{words.sendClient}</h3>
      <Code text={client} />
      <h3>{words.sendServer}</h3>
      <Code
        text={`POST /api/flags/v3/events\nAuthorization: Bearer <flag key>\n\n${body([event])}`}
      />
      <h3>{words.sendMetric}</h3>
      <Code
        text={`POST /api/flags/v3/metrics\nAuthorization: Bearer <flag key>\n\n${body([metric])}`}
      />
    </section>
  );
}

function Code({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways, which the keyboard must reach
    <pre dir="ltr" tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}
