import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Paged } from "../api/pages";
import { useInstant } from "../language/dates";
import { useLanguage } from "../language/language-context";
import type { Column } from "../table/long-table";
import { PagedTable } from "../table/paged-table";
import whoStyles from "../ui/who.module.css";
import type { AuditEntry } from "./audit-query";

interface AuditTableProps {
  readonly pages: UseInfiniteQueryResult<InfiniteData<Paged<AuditEntry>>>;
  /** Shown if there are no entries. */
  readonly empty: ReactNode;
  readonly isPage?: boolean;
}

export function AuditTable({ pages, empty, isPage = false }: AuditTableProps) {
  const { texts, language } = useLanguage();
  const written = useInstant();
  const auditTexts = texts.audit;

  const columns: readonly Column<AuditEntry>[] = [
    {
      id: "at",
      title: auditTexts.when,
      width: "20%",
      cell: ({ at }) => (
        <time dateTime={at} title={at}>
          {written(at)}
        </time>
      ),
    },
    {
      id: "event",
      title: auditTexts.event,
      width: "21%",
      cell: ({ event, count }) => (
        <span title={event}>
          {auditTexts.events[event] ?? <code>{event}</code>}
          {count !== undefined && (
            <>
              {" "}
              <span className="note">{auditTexts.times(count.toLocaleString(language.tag))}</span>
            </>
          )}
        </span>
      ),
    },
    {
      id: "user",
      title: auditTexts.who,
      width: "16%",
      cell: ({ user_id, subject, name }) => (
        <PersonLink userId={user_id} subject={subject} name={name} />
      ),
    },
    {
      id: "actor",
      title: auditTexts.by,
      width: "16%",
      cell: ({ by, actor, actor_user_id, actor_name }) =>
        by === "person" ? (
          <PersonLink userId={actor_user_id} subject={actor} name={actor_name} />
        ) : (
          <span className="note">{auditTexts.agents[by]}</span>
        ),
    },
    {
      id: "detail",
      title: auditTexts.detail,
      width: "27%",
      cell: ({ detail }) =>
        detail && (
          <span className="mono">
            <bdi>{detail}</bdi>
          </span>
        ),
    },
  ];
  return (
    <PagedTable
      label={auditTexts.title}
      columns={columns}
      pages={pages}
      rowKey={({ id }) => id}
      empty={empty}
      shown={auditTexts.shown}
      isPage={isPage}
    />
  );
}

/** Links to all entries about this person. */
function PersonLink(props: {
  readonly userId: string | undefined;
  readonly subject: string | undefined;
  readonly name: string | undefined;
}) {
  const { texts } = useLanguage();
  if (props.userId) {
    return (
      <div className={whoStyles.who}>
        <Link
          to="/audit"
          search={{ user: props.userId }}
          className={props.name ? "" : "mono"}
          title={props.userId}
        >
          <bdi>{props.name ?? props.userId}</bdi>
        </Link>
      </div>
    );
  }
  // Programs of the company have no page.
  if (props.subject?.startsWith("service:")) return <bdi className="mono">{props.subject}</bdi>;
  return props.subject ? (
    <span className="note" title={props.subject}>
      {texts.audit.erased}
    </span>
  ) : null;
}
