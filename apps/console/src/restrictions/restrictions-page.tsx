import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMay } from "../api/use-may";
import { DueChip } from "../evaluations/due-chip";
import { useMinute } from "../language/use-day";
import { MarketFilter } from "../markets/market-filter";
import type { Column } from "../table/long-table";
import { PagedTable } from "../table/paged-table";
import { ChoiceField } from "../ui/choice-field";
import filterStyles from "../ui/filter.module.css";
import { ForRoles } from "../ui/for-roles";
import { Page } from "../ui/page";
import pageStyles from "../ui/page.module.css";
import { SubmittedField } from "../ui/submitted-field";
import whoStyles from "../ui/who.module.css";
import { type Restriction, restrictionPagesQuery } from "./restrictions-queries";
import { type RestrictionsSearch, readRestrictionsSearch, STATUSES } from "./restrictions-search";
import { StatusChip } from "./status-chip";
import { useRestrictionsTexts } from "./texts/texts";

/** The restrictions of riders: open reviews by due date, then the newest first. */
export function RestrictionsPage() {
  const texts = useRestrictionsTexts();
  const may = useMay();
  return (
    <Page title={texts.title} intro={texts.intro}>
      <ForRoles task="evaluations">
        {(may("review") || may("evaluate")) && (
          <div className={pageStyles.actions}>
            <Link to="/restrictions/new" className="mu-button" data-kind="primary">
              {may("review") ? texts.impose : texts.propose}
            </Link>
          </div>
        )}
        <Restrictions />
      </ForRoles>
    </Page>
  );
}

function Restrictions() {
  const texts = useRestrictionsTexts();
  const search = useSearch({ from: "/inside/restrictions" });
  const pages = useInfiniteQuery(restrictionPagesQuery(search));
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <Filter search={search} />
      <PagedTable
        label={texts.title}
        columns={useColumns()}
        pages={pages}
        rowKey={({ id }) => id}
        shown={texts.shown}
        empty={<p>{isFiltered ? texts.nothing : texts.none}</p>}
      />
    </>
  );
}

function Filter({ search }: { readonly search: RestrictionsSearch }) {
  const texts = useRestrictionsTexts();
  const navigate = useNavigate({ from: "/restrictions" });
  const change = (part: Readonly<Record<string, unknown>>) => {
    const next = readRestrictionsSearch({ ...search, ...part });
    void navigate({ to: "/restrictions", search: next, replace: true });
  };
  return (
    <search>
      <form
        key={search.user ?? ""}
        className={filterStyles.filter}
        onSubmit={(event) => {
          event.preventDefault();
          change({ user: new FormData(event.currentTarget).get("user") });
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
        <MarketFilter value={search.market} onChange={(market) => change({ market })} />
        <SubmittedField
          name="user"
          label={texts.user}
          value={search.user ?? ""}
          onChange={(user) => change({ user })}
        />
      </form>
    </search>
  );
}

function useColumns(): readonly Column<Restriction>[] {
  const texts = useRestrictionsTexts();
  const minute = useMinute();
  const time = (at: string | null) => (at ? <time dateTime={at}>{minute(at)}</time> : "–");
  return [
    {
      id: "rider",
      title: texts.rider,
      width: "20%",
      cell: ({ id, user_id }) => (
        <div className={whoStyles.who}>
          <Link to="/restrictions/$restrictionId" params={{ restrictionId: id }} className="mono">
            <bdi>{user_id}</bdi>
          </Link>
        </div>
      ),
    },
    { id: "kind", title: texts.kind, width: "12%", cell: ({ kind }) => texts.kinds[kind] },
    {
      id: "status",
      title: texts.status,
      width: "12%",
      cell: ({ status }) => <StatusChip status={status} />,
    },
    { id: "since", title: texts.since, width: "21%", cell: ({ starts_at: at }) => time(at) },
    {
      id: "until",
      title: texts.until,
      width: "21%",
      cell: ({ ended_at: ended, ends_at: end }) => time(ended ?? end),
    },
    {
      id: "due",
      title: texts.reviewDue,
      width: "14%",
      cell: ({ review }) =>
        review && review.outcome === null ? <DueChip due={review.answer_due} /> : "–",
    },
  ];
}
