import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Paged } from "../api/pages";
import { useDay } from "../language/use-day";
import { useMarketsTexts } from "../markets/texts/texts";
import { useMarketName } from "../markets/use-market-name";
import type { Column } from "../table/long-table";
import { PagedTable } from "../table/paged-table";
import whoStyles from "../ui/who.module.css";
import styles from "./people.module.css";
import type { Person } from "./people-queries";
import { Roles } from "./roles";
import { usePeopleTexts } from "./texts/texts";

interface PeopleTableProps {
  readonly pages: UseInfiniteQueryResult<InfiniteData<Paged<Person>>>;
  readonly empty: ReactNode;
  readonly isPage?: boolean;
}

export function PeopleTable({ pages, empty, isPage = false }: PeopleTableProps) {
  const texts = usePeopleTexts();
  const marketName = useMarketName();
  const { market } = useMarketsTexts();
  const day = useDay();
  const columns: readonly Column<Person>[] = [
    {
      id: "person",
      title: texts.person,
      width: "21%",
      cell: ({ user_id, name }) => (
        <div className={whoStyles.who}>
          <Link to="/people/$userId" params={{ userId: user_id }}>
            <bdi>{name ?? user_id}</bdi>
          </Link>
        </div>
      ),
    },
    {
      id: "id",
      title: texts.userId,
      width: "15%",
      cell: ({ user_id, name }) => name && <bdi className="mono note">{user_id}</bdi>,
    },
    {
      id: "market",
      title: market,
      width: "24%",
      cell: ({ market }) => market && <bdi>{marketName(market)}</bdi>,
    },
    {
      id: "reach",
      title: texts.reach,
      width: "17%",
      cell: ({ email, phone }) =>
        email || phone ? (
          <div className={whoStyles.who}>
            {email && <bdi>{email}</bdi>}
            {phone && (
              <bdi className={email ? "note" : undefined} dir="ltr">
                {phone}
              </bdi>
            )}
          </div>
        ) : null,
    },
    {
      id: "roles",
      title: texts.role,
      width: "11%",
      cell: ({ roles }) => <Roles roles={roles} />,
    },
    {
      id: "since",
      title: texts.since,
      width: "12%",
      cell: ({ created_at }) => <time dateTime={created_at}>{day(created_at)}</time>,
    },
  ];
  return (
    <div className={styles.people} data-stale={pages.isPlaceholderData || undefined}>
      <PagedTable
        label={texts.title}
        columns={columns}
        pages={pages}
        rowKey={({ user_id }) => user_id}
        empty={empty}
        shown={texts.shown}
        isPage={isPage}
      />
    </div>
  );
}
