import { HttpError } from "@musette/client/http";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { endOfDay } from "../../language/days";
import { inLanguage } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { versionName } from "../../language/version-name";
import { MarketFilter } from "../../markets/market-filter";
import { AsOfField } from "../../ui/as-of/as-of-field";
import { FilterBar } from "../../ui/filter-bar";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed } from "../../ui/states";
import { NotifyMissing } from "../term/notify-missing";
import { TermNotFound } from "../term/term-not-there";
import { TermTabs } from "../term/term-tabs";
import { type PublishedTerm, termQuery } from "../terms-query";
import { useTermsTexts } from "../texts/texts";
import { ByDay } from "./by-day";
import { ByLanguage } from "./by-language";
import styles from "./coverage.module.css";
import { coverageQuery } from "./coverage-query";
import { FunnelSteps } from "./funnel-steps";
import { Missing } from "./missing";
import { isAwaited } from "./phase";
import { Standing } from "./standing";
import { useCoverageTexts } from "./texts/texts";

export function CoveragePage() {
  const texts = useTermsTexts();
  const { termId } = useParams({ from: "/inside/terms/$termId/coverage" });
  const term = useQuery(termQuery(termId));
  if (term.isSuccess) return <CoverageOf term={term.data} />;
  const isUnknown = term.error instanceof HttpError && term.error.status === 404;
  return (
    <Page title={texts.term.coverage}>
      {term.isPending && <Skeleton rows={6} />}
      {isUnknown && <TermNotFound />}
      {term.isError && !isUnknown && <LoadFailed error={term.error} onRetry={term.refetch} />}
    </Page>
  );
}

function CoverageOf({ term }: { readonly term: PublishedTerm }) {
  const texts = useTermsTexts();
  const { language } = useLanguage();
  const { as_of: day, market } = useSearch({ from: "/inside/terms/$termId/coverage" });
  const coverageTexts = useCoverageTexts();
  const navigate = useNavigate({ from: "/terms/$termId/coverage" });
  const asOf = endOfDay(day);
  const coverage = useQuery(coverageQuery(term.id, asOf, market));
  const title = inLanguage(term.variants, language.tag)?.title || texts.untitled;
  const version = texts.version(versionName(term, language.tag));
  return (
    <Page title={title} intro={`${texts.term.coverage} · ${version}`}>
      <TermTabs term={term}>{!asOf && <NotifyMissing term={term} market={market} />}</TermTabs>
      <FilterBar count={[asOf, market].filter(Boolean).length}>
        <AsOfField
          day={asOf && day}
          texts={coverageTexts}
          onChange={(next) =>
            void navigate({
              search: ({ as_of: _former, ...others }) => ({
                ...others,
                ...(next && { as_of: next }),
              }),
              replace: true,
              resetScroll: false,
            })
          }
        />
        <MarketFilter
          value={market}
          onChange={(next) =>
            void navigate({
              search: ({ market: _former, ...others }) => ({
                ...others,
                ...(next && { market: next }),
              }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      </FilterBar>
      {coverage.isPending && <Skeleton rows={6} />}
      {coverage.isError && <LoadFailed error={coverage.error} onRetry={coverage.refetch} />}
      {coverage.data && (
        <>
          <Standing term={term} coverage={coverage.data} />
          {!isAwaited(term, coverage.data) && (
            <>
              <ByDay term={term.id} coverage={coverage.data} />
              <div className={styles.coveragePair}>
                <FunnelSteps funnel={coverage.data.funnel} />
                <ByLanguage coverage={coverage.data} />
              </div>
              <Missing term={term} asOf={asOf} market={market} coverage={coverage.data} />
            </>
          )}
        </>
      )}
    </Page>
  );
}
