import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { summaryIn } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { useMinute } from "../../language/use-day";
import { useMarketName } from "../../markets/use-market-name";
import styles from "../terms.module.css";
import type { PublishedTerm } from "../terms-query";
import { useTermsTexts } from "../texts/texts";

export function TermFacts({ term }: { readonly term: PublishedTerm }) {
  const { term: termTexts } = useTermsTexts();
  const { tag } = useLanguage().language;
  const minute = useMinute();
  const marketName = useMarketName();
  const summary = summaryIn(term, tag);
  const kind = term.material ? termTexts.material : termTexts.minor;
  return (
    <section className="card">
      <h2>{termTexts.facts}</h2>
      <dl className={styles.termFacts}>
        <Fact name={termTexts.number}>{term.id.toLocaleString(tag, { useGrouping: false })}</Fact>
        <Fact name={termTexts.order}>{term.display_order.toLocaleString(tag)}</Fact>
        <Fact name={termTexts.published}>
          <time dateTime={term.published_at}>{minute(term.published_at)}</time>
        </Fact>
        <Fact name={termTexts.effective}>
          <time dateTime={term.effective_from}>{minute(term.effective_from)}</time>
          {isPublishedLate(term) && <p className="note">{termTexts.publishedLate}</p>}
        </Fact>
        <Fact name={termTexts.grace}>
          {term.grace_until ? (
            <time dateTime={term.grace_until}>{minute(term.grace_until)}</time>
          ) : (
            termTexts.noGrace
          )}
        </Fact>
        <Fact name={termTexts.kind}>{term.replaces === undefined ? termTexts.first : kind}</Fact>
        {term.market && <Fact name={termTexts.market}>{marketName(term.market)}</Fact>}
        {term.instead_of && (
          <Fact name={termTexts.insteadOf}>
            <Link to="/terms/$termId" params={{ termId: String(term.instead_of) }}>
              {termTexts.number} {term.instead_of.toLocaleString(tag, { useGrouping: false })}
            </Link>
          </Fact>
        )}
        {summary && (
          <Fact name={termTexts.summary}>
            <bdi>{summary}</bdi>
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** A version that takes effect when it is published has almost the same two times. */
const isPublishedLate = ({ published_at, effective_from }: PublishedTerm): boolean =>
  Date.parse(published_at) - Date.parse(effective_from) > 60_000;

function Fact(props: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
