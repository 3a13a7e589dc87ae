import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { inLanguage, languageName } from "../language/in-language";
import { useLanguage } from "../language/language-context";
import { useMinute } from "../language/use-day";
import { marketsQuery } from "../markets/markets-query";
import { useMarketName } from "../markets/use-market-name";
import type { Draft } from "../terms/draft/draft";
import { type PublishedTerm, termQuery } from "../terms/terms-query";
import { useTermsTexts } from "../terms/texts/texts";
import factStyles from "../ui/facts.module.css";

/** A published text by its title, with the number that distinguishes its versions. */
function TermName({ id }: { readonly id: number }) {
  const { term: termTexts } = useTermsTexts();
  const { tag } = useLanguage().language;
  const { data } = useQuery(termQuery(String(id)));
  const title = data && inLanguage(data.variants, tag)?.title;
  return (
    <Link to="/terms/$termId" params={{ termId: String(id) }}>
      {title ? <bdi>{title}</bdi> : termTexts.number} ({id})
    </Link>
  );
}

interface DraftFactsProps {
  readonly draft: Draft;
  /** The version that it replaces, which defines the market. */
  readonly former: PublishedTerm | undefined;
}

/** All fields that an approval covers, except the documents. */
export function DraftFacts({ draft, former }: DraftFactsProps) {
  const { term: termTexts, ...terms } = useTermsTexts();
  const { tag } = useLanguage().language;
  const minute = useMinute();
  const marketName = useMarketName();
  // A company without markets does not see them.
  const markets = useQuery(marketsQuery).data ?? [];
  const { fields, titleIn, summaryIn } = terms.draft;
  const { display_order: order, effective_from: from, grace_until: grace, variants } = draft;
  const market = former ? former.market : draft.market;
  const everywhere = markets.length > 0 ? termTexts.everywhere : undefined;
  const isolated = (text: string | undefined) => text && <bdi>{text}</bdi>;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [
      terms.type,
      <>
        <bdi className="mono">{draft.type}</bdi>{" "}
        {draft.kind === "notice"
          ? terms.notice
          : draft.mandatory
            ? terms.mandatory
            : terms.optional}
      </>,
    ],
    [termTexts.market, isolated(market ? marketName(market) : everywhere)],
    [termTexts.insteadOf, draft.instead_of && <TermName id={draft.instead_of} />],
    [
      termTexts.kind,
      draft.replaces === undefined
        ? termTexts.first
        : draft.minor
          ? termTexts.minor
          : termTexts.material,
    ],
    [fields.label, isolated(draft.label)],
    [fields.summary, isolated(draft.summary)],
    [fields.display_order, order?.toLocaleString(tag)],
    [termTexts.effective, from && minute(from)],
    [termTexts.grace, grace ? minute(grace) : termTexts.noGrace],
    ...variants.flatMap(({ locale, title, summary }) => {
      const language = languageName(locale, tag);
      const name = { title: titleIn(language), summary: summaryIn(language) };
      return [
        [name.title, isolated(title)],
        [name.summary, isolated(summary)],
      ] as const;
    }),
    [fields.unreadable_ok, isolated(draft.unreadable_ok)],
    [fields.active_content_ok, isolated(draft.active_content_ok)],
  ];
  return (
    <dl className={factStyles.facts}>
      {rows.map(
        ([name, value]) =>
          value && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
