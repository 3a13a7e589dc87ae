import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import type { EvaluationVersion } from "./evaluation";
import { deciderText, FigureRows } from "./evaluation-facts";

/** Every version, newest first: the status, who made it and when. */
export function EvaluationHistory({ history }: { readonly history: readonly EvaluationVersion[] }) {
  const { language, texts } = usePageLanguage();
  return (
    <details className="card work-history">
      <summary>{texts.work.history}</summary>
      <ol>
        {[...history].reverse().map(({ version, to, by, at, figures }) => (
          <li key={version}>
            <strong>{texts.work.status[to]}</strong>
            <span>{deciderText(texts.work, by)}</span>
            <span className="note">{dateAndTime(language.tag, at)}</span>
            <dl className="work-facts">
              <FigureRows figures={figures} />
            </dl>
          </li>
        ))}
      </ol>
    </details>
  );
}
