import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CsvButton } from "../../export/csv-button";
import { languageName } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { useMinute } from "../../language/use-day";
import type { Column } from "../../table/long-table";
import { PagedTable } from "../../table/paged-table";
import { ChoiceField } from "../../ui/choice-field";
import { ForRoles } from "../../ui/for-roles";
import styles from "../campaigns.module.css";
import {
  CAMPAIGNS,
  type Campaign,
  type CampaignPerson,
  fetchPeople,
  type PersonStatus,
} from "../campaigns-queries";
import { PERSON_STATUSES, readCampaignSearch } from "../campaigns-search";
import { useCampaignsTexts } from "../texts/texts";
import { bounceKind } from "./bounce-text";
import { linesOf, PEOPLE_HEADER } from "./people-lines";

const EXPORT_PAGE = 200;
const REFETCH_MS = 10_000;
const TONES: Readonly<Partial<Record<PersonStatus, string>>> = {
  served: "good",
  opened: "good",
  decided: "good",
  bounced: "bad",
  failed: "bad",
  skipped: "warning",
};

const peopleQuery = (campaign: Campaign, status: PersonStatus | undefined) =>
  infiniteQueryOptions({
    // After a change of the campaign's status, the list is fetched again.
    queryKey: [CAMPAIGNS, "people", campaign.id, status ?? "", campaign.status],
    queryFn: async ({ pageParam: after }) => {
      const { items, next } = await fetchPeople(campaign.id, status, after);
      return { items, ...(next !== null && { next_cursor: next }) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    // A longer list would be fetched again page by page.
    refetchInterval: ({ state }) =>
      campaign.status === "running" && state.data?.pages.length === 1 ? REFETCH_MS : false,
  });

/** The people of a campaign with their messages, for roles that read people. */
export function People({ campaign }: { readonly campaign: Campaign }) {
  const texts = useCampaignsTexts();
  return (
    <section className={styles.people}>
      <h2>{texts.people}</h2>
      <ForRoles task="personal">
        <List campaign={campaign} />
      </ForRoles>
    </section>
  );
}

function List({ campaign }: { readonly campaign: Campaign }) {
  const { id } = campaign;
  const texts = useCampaignsTexts();
  const navigate = useNavigate({ from: "/campaigns/$campaignId" });
  const { people: status } = useSearch({ from: "/inside/campaigns/$campaignId" });
  const pages = useInfiniteQuery(peopleQuery(campaign, status));
  const fetch = async (after: string | undefined) => {
    const { items, next } = await fetchPeople(id, status, after, EXPORT_PAGE);
    return { lines: items.flatMap(linesOf), next: next ?? undefined };
  };
  return (
    <>
      <p className="note">{texts.servedHint}</p>
      <div className={styles.peopleFilter}>
        <ChoiceField
          label={texts.status}
          value={status ?? ""}
          options={[
            { value: "", label: texts.anyPerson },
            ...PERSON_STATUSES.map((value) => ({ value, label: texts.personStatuses[value] })),
          ]}
          onChange={(people) =>
            void navigate({
              search: readCampaignSearch({ people }),
              replace: true,
              resetScroll: false,
            })
          }
        />
        <CsvButton
          label={texts.exportCsv}
          name={`campaign-${id}${status ? `-${status}` : ""}`}
          header={PEOPLE_HEADER}
          fetch={fetch}
        />
      </div>
      <PagedTable
        label={texts.people}
        columns={useColumns()}
        pages={pages}
        rowKey={({ user_id }) => user_id}
        shown={texts.peopleShown}
        empty={<p>{texts.noPeople}</p>}
      />
    </>
  );
}

function useColumns(): readonly Column<CampaignPerson>[] {
  const texts = useCampaignsTexts();
  return [
    {
      id: "rider",
      title: texts.rider,
      width: "26%",
      cell: ({ user_id: userId }) => (
        <Link to="/people/$userId" params={{ userId }} className="mono">
          <bdi>{userId}</bdi>
        </Link>
      ),
    },
    {
      id: "status",
      title: texts.status,
      width: "24%",
      cell: ({ status, reason }) => {
        const reasons: Readonly<Partial<Record<string, string>>> = texts.reasons;
        return (
          <div className={styles.messages}>
            <span>
              <span className="chip" data-tone={TONES[status]}>
                {texts.personStatuses[status]}
              </span>
            </span>
            {reason && <span className="note">{reasons[reason] ?? reason}</span>}
          </div>
        );
      },
    },
    {
      id: "messages",
      title: texts.messages,
      width: "50%",
      cell: ({ messages }) =>
        messages.length === 0 ? (
          "–"
        ) : (
          <ul className={styles.messages}>
            {messages.map((message) => (
              <li key={message.id}>
                <Message message={message} />
              </li>
            ))}
          </ul>
        ),
    },
  ];
}

function Message({ message }: { readonly message: CampaignPerson["messages"][number] }) {
  const texts = useCampaignsTexts();
  const { tag } = useLanguage().language;
  const minute = useMinute();
  const { channel, locale, outcome, status, sent_at: sentAt, repeated } = message;
  const isFailure = outcome === "bounced" || outcome === "failed";
  const parts = [
    texts.channels[channel],
    locale && languageName(locale, tag),
    outcome ? texts.outcomes[outcome] : texts.waiting,
    repeated && texts.repeated,
  ].filter(Boolean);
  return (
    <>
      {parts.join(" · ")}{" "}
      {sentAt && (
        <time className="note" dateTime={sentAt}>
          {minute(sentAt)}
        </time>
      )}
      {status && (isFailure || !outcome) && (
        <span className="note">
          {" "}
          {texts.statusCode(status, texts.bounceTexts[bounceKind(status)])}
        </span>
      )}
    </>
  );
}
