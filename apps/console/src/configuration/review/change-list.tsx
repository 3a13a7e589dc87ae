import { useMemo } from "react";
import type { FlagsDocument } from "../document/document";
import type { Item } from "../document/objects";
import { changesBetween, type Difference, type ObjectChange } from "./changes";
import { hunks, lineDiff } from "./line-diff";
import styles from "./review.module.css";
import { useReviewTexts } from "./texts/texts";
import { useDescriber } from "./use-describer";

const TONES = { added: "good", removed: "bad", changed: "warning" } as const;

/** Lists the differences as text, with the JSON on demand. */
export function ChangeList(props: {
  readonly before: FlagsDocument;
  readonly after: FlagsDocument;
}) {
  const { before, after } = props;
  const texts = useReviewTexts();
  const describer = useDescriber();
  const changes = useMemo(
    () => changesBetween(before, after, describer),
    [before, after, describer],
  );
  if (changes.length === 0) return <p className="note">{texts.nothing}</p>;
  return (
    <ul className={styles.changeList}>
      {changes.map((change) => (
        <li key={`${change.section}/${change.key}`}>
          <OneChange change={change} />
        </li>
      ))}
    </ul>
  );
}

function OneChange({ change }: { readonly change: ObjectChange }) {
  const texts = useReviewTexts();
  const { section, key, how, differences } = change;
  return (
    <>
      <h3>
        <span>
          {texts.sections[section]} <bdi className="mono">{key}</bdi>
        </span>
        <span className="chip" data-tone={TONES[how]}>
          {texts.how[how]}
        </span>
      </h3>
      {differences.length > 0 && <Differences differences={differences} />}
      <RawDiff before={change.before} after={change.after} />
    </>
  );
}

export function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  const texts = useReviewTexts();
  return (
    <ul className={styles.differences}>
      {differences.map(({ place, before, after }) => (
        <li key={`${place} ${before} ${after}`}>
          <span className={styles.place}>{place}</span>
          {before !== undefined && (
            <del>
              <span className="mu-hidden">{texts.was} </span>
              {before}
            </del>
          )}
          {before !== undefined && after !== undefined && (
            <span className={styles.arrow} aria-hidden="true">
              →
            </span>
          )}
          {after !== undefined && (
            <ins>
              <span className="mu-hidden">{texts.is} </span>
              {after}
            </ins>
          )}
        </li>
      ))}
    </ul>
  );
}

const pretty = (item: Item | undefined) => (item ? JSON.stringify(item, null, 2) : "");

/** Computed only when it is opened. */
function RawDiff(props: { readonly before: Item | undefined; readonly after: Item | undefined }) {
  const texts = useReviewTexts();
  return (
    <details className={styles.rawDiff}>
      <summary>{texts.raw}</summary>
      <RawLines {...props} />
    </details>
  );
}

function RawLines(props: { readonly before: Item | undefined; readonly after: Item | undefined }) {
  const { before, after } = props;
  const lines = useMemo(() => hunks(lineDiff(pretty(before), pretty(after))), [before, after]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach that
    <pre dir="ltr" tabIndex={0}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is nothing but its place
        <span key={at} data-mark={line?.mark}>
          {line ? `${line.mark} ${line.text}` : "⋯"}
        </span>
      ))}
    </pre>
  );
}
