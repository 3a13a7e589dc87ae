import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { receiptHref } from "../router/receipt-address";
import { Link } from "../router/router";
import { type Decision, termTitle } from "../terms/receipt";
import { versionName } from "../terms/version-name";
import { type DecisionGroup, groupByReceipt } from "./agreements";

export function HistoryList({ decisions }: { readonly decisions: readonly Decision[] }) {
  const { texts } = usePageLanguage();
  return (
    <section className="history">
      <h2>{texts.agreements.history}</h2>
      <p className="note">{texts.agreements.historyText}</p>
      <ol>
        {groupByReceipt(decisions).map((occasion) => (
          <HistoryEntry key={occasion.receiptId} occasion={occasion} />
        ))}
      </ol>
    </section>
  );
}

function HistoryEntry({ occasion }: { readonly occasion: DecisionGroup }) {
  const { language, texts } = usePageLanguage();
  const when = dateAndTime(language.tag, occasion.recordedAt);
  return (
    <li>
      <div className="history-when">
        <time dateTime={occasion.recordedAt}>{when}</time>
        <Link href={receiptHref(occasion.receiptId)}>{texts.agreements.receipt}</Link>
      </div>
      <ul>
        {occasion.decided.map(({ decision: { term, termId }, outcome }) => (
          <li key={termId} data-outcome={outcome}>
            <strong>{texts.agreements[outcome]}</strong>
            <bdi>{termTitle(term, termId)}</bdi>
            <span className="note">{versionName(texts, term)}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}
