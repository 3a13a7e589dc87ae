import { dateAndTime } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { type Decision, termTitle } from "../receipts/receipt";
import { Link } from "../router/router";
import { type Occasion, occasionsOf } from "./agreements";

export function HistoryList({ decisions }: { readonly decisions: readonly Decision[] }) {
  const { texts } = useLanguage();
  return (
    <section className="history">
      <h2>{texts.agreements.history}</h2>
      <p className="note">{texts.agreements.historyText}</p>
      <ol>
        {occasionsOf(decisions).map((occasion) => (
          <HistoryEntry key={occasion.receiptId} occasion={occasion} />
        ))}
      </ol>
    </section>
  );
}

function HistoryEntry({ occasion }: { readonly occasion: Occasion }) {
  const { language, texts } = useLanguage();
  const when = dateAndTime(language.tag, occasion.recordedAt);
  return (
    <li>
      <div className="history-when">
        <time dateTime={occasion.recordedAt}>{when}</time>
        <Link href={`/receipt/${occasion.receiptId}`}>{texts.agreements.receipt}</Link>
      </div>
      <ul>
        {occasion.decided.map(({ decision: { term, termId }, outcome }) => (
          <li key={termId} data-outcome={outcome}>
            <strong>{texts.agreements[outcome]}</strong>
            <bdi>{termTitle(term, termId)}</bdi>
            {term?.version !== undefined && (
              <span className="note">{texts.version(term.version)}</span>
            )}
          </li>
        ))}
      </ul>
    </li>
  );
}
