import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Paged } from "../api/pages";
import { useDay } from "../language/use-day";
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
}

export function PeopleTable({ pages, empty }: PeopleTableProps) {
  const texts = usePeopleTexts();
  const marketName = useMarketName();
  const day = useDay();
  const columns: readonly Column<Person>[] = [
    {
      id: "person",
      title: texts.person,
      width: "34%",
      cell: ({ user_id, name, market }) => (
        <div className={whoStyles.who}>
          <Link to="/people/$userId" params={{ userId: user_id }}>
            <bdi>{name ?? user_id}</bdi>
          </Link>
          {name && (
            <span className="mono note">
              <bdi>{user_id}</bdi>
            </span>
          )}
          {market && (
            <span className="note">
              <bdi>{marketName(market)}</bdi>
            </span>
          )}
        </div>
      ),
    },
    {
      id: "reach",
      title: texts.reach,
      width: "32%",
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
      width: "18%",
      cell: ({ roles }) => <Roles roles={roles} />,
    },
    {
      id: "since",
      title: texts.since,
      width: "16%",
      cell: ({ created_at }) => (
        <time dateTime={created_at}>{day(created_at)}</time>
      ),
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
      />
    </div>
  );
}
