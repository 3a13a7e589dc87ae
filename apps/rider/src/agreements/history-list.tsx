import { dateAndTime } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { type Decision, termTitle } from "../receipts/receipt";
import { Link } from "../router/router";
import { outcomeOf } from "./agreements";

export function HistoryList({ decisions }: { readonly decisions: readonly Decision[] }) {
  const { language, texts } = useLanguage();
  return (
    <section className="history">
      <h2>{texts.agreements.history}</h2>
      <p className="note">{texts.agreements.historyText}</p>
      <ol>
        {decisions.map((decision, i) => {
          const outcome = outcomeOf(decision, decisions.slice(i + 1));
          const { receiptId, term, termId, recordedAt } = decision;
          return (
            <li key={`${receiptId} ${termId}`} data-outcome={outcome}>
              <span className="history-what">
                <strong>{texts.agreements[outcome]}</strong>
                <bdi>{termTitle(term, termId)}</bdi>
                {term?.version !== undefined && (
                  <span className="note">{texts.version(term.version)}</span>
                )}
              </span>
              <span className="history-when">
                <time dateTime={recordedAt}>{dateAndTime(language.tag, recordedAt)}</time>
                <Link href={`/receipt/${receiptId}`}>{texts.agreements.receipt}</Link>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
