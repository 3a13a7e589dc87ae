import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useLanguage } from "../../language/language-context";
import { useMinute } from "../../language/use-day";
import { useMarketName } from "../../markets/use-market-name";
import { summaryIn } from "../in-language";
import styles from "../terms.module.css";
import type { PublishedTerm } from "../terms-query";
import { useTermsTexts } from "../texts/texts";

export function TermFacts({ term }: { readonly term: PublishedTerm }) {
  const { term: words } = useTermsTexts();
  const { tag } = useLanguage().language;
  const minute = useMinute();
  const marketName = useMarketName();
  const summary = summaryIn(term, tag);
  const kind = term.material ? words.material : words.minor;
  return (
    <section className="card">
      <h2>{words.facts}</h2>
      <dl className={styles.termFacts}>
        <Fact name={words.number}>{term.id.toLocaleString(tag, { useGrouping: false })}</Fact>
        <Fact name={words.order}>{term.display_order.toLocaleString(tag)}</Fact>
        <Fact name={words.published}>
          <time dateTime={term.published_at}>{minute(term.published_at)}</time>
        </Fact>
        <Fact name={words.effective}>
          <time dateTime={term.effective_from}>{minute(term.effective_from)}</time>
        </Fact>
        <Fact name={words.grace}>
          {term.grace_until ? (
            <time dateTime={term.grace_until}>{minute(term.grace_until)}</time>
          ) : (
            words.noGrace
          )}
        </Fact>
        <Fact name={words.kind}>{term.replaces === undefined ? words.first : kind}</Fact>
        {term.market && <Fact name={words.market}>{marketName(term.market)}</Fact>}
        {term.instead_of && (
          <Fact name={words.insteadOf}>
            <Link to="/terms/$termId" params={{ termId: String(term.instead_of) }}>
              {words.number} {term.instead_of.toLocaleString(tag, { useGrouping: false })}
            </Link>
          </Fact>
        )}
        {summary && (
          <Fact name={words.summary}>
            <bdi>{summary}</bdi>
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact(props: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
