import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { isInside } from "../api/grants";
import { useLanguage } from "../language/language-context";
import { useMinute } from "../language/use-day";
import { MarketFilter } from "../markets/market-filter";
import { useMarketName } from "../markets/use-market-name";
import type { Column } from "../table/long-table";
import { PagedTable } from "../table/paged-table";
import { ChoiceField } from "../ui/choice-field";
import { FilterBar } from "../ui/filter-bar";
import { ForRoles } from "../ui/for-roles";
import { Page } from "../ui/page";
import { PageTools } from "../ui/page-tools";
import { ShareBar } from "../ui/share-bar";
import whoStyles from "../ui/who.module.css";
import { type Campaign, campaignPagesQuery } from "./campaigns-queries";
import { type CampaignsSearch, readCampaignsSearch, STATUSES } from "./campaigns-search";
import { totalsOf, upcomingStep } from "./progress";
import { StatusChip } from "./status-chip";
import { useCampaignsTexts } from "./texts/texts";
import { useTermName, useTerms } from "./use-terms";

const REFETCH_MS = 10_000;

/** The campaigns, newest first. */
export function CampaignsPage() {
  const texts = useCampaignsTexts();
  return (
    <Page title={texts.title} intro={texts.intro}>
      <PageTools>
        <ForRoles task="terms">
          <Link to="/campaigns/new" className="mu-button" data-kind="primary">
            {texts.add}
          </Link>
        </ForRoles>
      </PageTools>
      <Campaigns />
    </Page>
  );
}

function Campaigns() {
  const texts = useCampaignsTexts();
  const search = useSearch({ from: "/inside/campaigns" });
  const terms = useTerms();
  const { status, term, market } = search;
  const isFiltered = Object.keys(search).length > 0;
  const marketOf = (campaign: Campaign) => campaign.market ?? terms.get(campaign.term_id)?.market;
  const isShown = (campaign: Campaign) =>
    (!status || campaign.status === status) &&
    (term === undefined || campaign.term_id === term) &&
    (!market || isInside(marketOf(campaign) ?? "", market));
  const pages = useInfiniteQuery({
    ...campaignPagesQuery,
    refetchInterval: ({ state }) => {
      const campaigns = state.data?.pages.flatMap(({ items }) => items) ?? [];
      return campaigns.some(({ status }) => status === "running") ? REFETCH_MS : false;
    },
    // The server lists all campaigns. A company has few, so they are filtered here.
    select: (data) => ({
      ...data,
      pages: data.pages.map((page) => ({ ...page, items: page.items.filter(isShown) })),
    }),
  });
  return (
    <>
      <Filter search={search} />
      <PagedTable
        label={texts.title}
        columns={useColumns()}
        pages={pages}
        rowKey={({ id }) => id}
        shown={texts.shown}
        isPage
        empty={
          isFiltered ? (
            <p>{texts.nothing}</p>
          ) : (
            <>
              <p>{texts.none}</p>
              <p className="note">{texts.noneHint}</p>
            </>
          )
        }
      />
    </>
  );
}

function Filter({ search }: { readonly search: CampaignsSearch }) {
  const texts = useCampaignsTexts();
  const navigate = useNavigate({ from: "/campaigns" });
  const terms = useTerms();
  const termName = useTermName();
  const change = (part: Readonly<Record<string, unknown>>) => {
    const next = readCampaignsSearch({ ...search, ...part });
    void navigate({ to: "/campaigns", search: next, replace: true });
  };
  const published = [...terms.values()].map((term) => [term.id, term] as const);
  const missing =
    search.term !== undefined && !terms.has(search.term) ? [[search.term, undefined] as const] : [];
  return (
    <FilterBar
      count={Object.keys(search).length}
      clear={{
        label: texts.clear,
        run: () => void navigate({ to: "/campaigns", search: {}, replace: true }),
      }}
    >
      <ChoiceField
        label={texts.status}
        value={search.status ?? ""}
        options={[
          { value: "", label: texts.anyStatus },
          ...STATUSES.map((value) => ({ value, label: texts.statuses[value] })),
        ]}
        onChange={(status) => change({ status })}
      />
      <ChoiceField
        label={texts.document}
        value={String(search.term ?? "")}
        options={[
          { value: "", label: texts.anyDocument },
          ...[...published, ...missing].map(([id, term]) => ({
            value: String(id),
            label: termName(id, term),
          })),
        ]}
        onChange={(term) => change({ term })}
      />
      <MarketFilter value={search.market} onChange={(market) => change({ market })} />
    </FilterBar>
  );
}

function useColumns(): readonly Column<Campaign>[] {
  const texts = useCampaignsTexts();
  const terms = useTerms();
  const termName = useTermName();
  const marketName = useMarketName();
  return [
    {
      id: "document",
      title: texts.document,
      width: "34%",
      cell: ({ id, term_id: termId }) => {
        const term = terms.get(termId);
        return (
          <div className={whoStyles.who}>
            <Link to="/campaigns/$campaignId" params={{ campaignId: id }}>
              <bdi>{termName(termId, term)}</bdi>
            </Link>
            {term && (
              <span className="note">{term.kind === "notice" ? texts.notice : texts.consent}</span>
            )}
          </div>
        );
      },
    },
    {
      id: "status",
      title: texts.status,
      width: "14%",
      cell: ({ status }) => <StatusChip status={status} />,
    },
    {
      id: "market",
      title: texts.market,
      width: "14%",
      cell: ({ market, term_id: termId }) => {
        const code = market ?? terms.get(termId)?.market;
        return <bdi>{code ? marketName(code) : texts.everywhere}</bdi>;
      },
    },
    {
      id: "progress",
      title: texts.progress,
      width: "20%",
      cell: (campaign) => <Progress campaign={campaign} />,
    },
    {
      id: "next",
      title: texts.nextStep,
      width: "18%",
      cell: (campaign) => <NextStep campaign={campaign} />,
    },
  ];
}

function Progress({ campaign }: { readonly campaign: Campaign }) {
  const texts = useCampaignsTexts();
  const { tag } = useLanguage().language;
  const { settled, prepared } = totalsOf(campaign);
  if (prepared === 0) return "–";
  return (
    <div>
      {texts.sentOf(settled.toLocaleString(tag), prepared.toLocaleString(tag))}
      <ShareBar share={settled / prepared} isThin />
    </div>
  );
}

function NextStep({ campaign }: { readonly campaign: Campaign }) {
  const texts = useCampaignsTexts();
  const minute = useMinute();
  const step = upcomingStep(campaign, Date.now());
  if (!step?.due_at) return "–";
  return (
    <div className={whoStyles.who}>
      <time dateTime={step.due_at}>{minute(step.due_at)}</time>
      <span className="note">{texts.channels[step.channel]}</span>
    </div>
  );
}
