import type { FlagOverrides, FlagSnapshot } from "@musette/client/flags";
import { age } from "./age";
import { OverrideField } from "./override-field";
import type { OverlayTexts } from "./texts";

interface FlagRowProps {
  readonly flag: FlagSnapshot["flags"][number];
  readonly overrides: FlagOverrides;
  readonly texts: OverlayTexts;
}

export function FlagRow({ flag, overrides, texts }: FlagRowProps) {
  const { key, status, overridden } = flag;
  const { variation, explanation, relevantContext, dateCached } = flag.result;
  const reads = Array.isArray(relevantContext) ? relevantContext : Object.keys(relevantContext);
  const facts = [
    [texts.why, `${explanation.kind} · ${explanation.from}`],
    [texts.state, texts.status[status]],
    [texts.stored, dateCached && age(dateCached, texts.lang)],
    [texts.reads, reads.join(", ")],
  ];
  return (
    <li data-overridden={overridden || undefined} data-status={status}>
      <details>
        <summary>
          <span className="key">
            <bdi>{key}</bdi>
          </span>
          <span className="value">
            <bdi>{JSON.stringify(variation)}</bdi>
          </span>
          {overridden && <span className="mark">{texts.here}</span>}
        </summary>
        <dl>
          {facts.map(
            ([name, fact]) =>
              fact && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <bdi>{fact}</bdi>
                  </dd>
                </div>
              ),
          )}
        </dl>
        <OverrideField flag={flag} overrides={overrides} texts={texts} />
      </details>
    </li>
  );
}
