import { StatusBadge } from "@musette/react/ui";
import { useInstant } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { duration } from "./duration";
import styles from "./evaluations.module.css";
import { type EvaluationVersion, FIGURES, secondsOf } from "./model";
import { useEvaluationsTexts } from "./texts/texts";

/** Every version, newest first: the status, who made it, and when. */
export function History({ history }: { readonly history: readonly EvaluationVersion[] }) {
  const texts = useEvaluationsTexts();
  const instant = useInstant();
  return (
    <section className={`card ${styles.section}`}>
      <h2>{texts.history}</h2>
      <ol className={styles.history}>
        {[...history].reverse().map((version) => (
          <li key={version.version}>
            <StatusBadge status={version.to} label={texts.statuses[version.to]} />
            <span>
              <Maker by={version.by} /> ·{" "}
              <time className="note" dateTime={version.at}>
                {instant(version.at)}
              </time>
            </span>
            <FigureList version={version} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Maker({ by }: Pick<EvaluationVersion, "by">) {
  const texts = useEvaluationsTexts();
  if (by.kind !== "human") return <>{texts.makers[by.kind]}</>;
  const role = by.role ? texts.roles[by.role] : texts.makers.human;
  return (
    <>
      {role} {by.user_id && <bdi className="mono">{by.user_id}</bdi>}
    </>
  );
}

function FigureList({ version }: { readonly version: EvaluationVersion }) {
  const texts = useEvaluationsTexts();
  const { tag } = useLanguage().language;
  const parts = FIGURES.flatMap((name) => {
    const seconds = secondsOf(name, version.figures);
    return seconds === undefined ? [] : [`${texts.figures[name]}: ${duration(tag, seconds)}`];
  });
  return parts.length > 0 && <span className="note">{parts.join(" · ")}</span>;
}
