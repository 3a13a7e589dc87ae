import { Button } from "@musette/react/ui";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../api/use-may";
import { useInstant } from "../language/dates";
import type { Column } from "../table/long-table";
import { PagedTable } from "../table/paged-table";
import { ForRoles } from "../ui/for-roles";
import pageStyles from "../ui/page.module.css";
import whoStyles from "../ui/who.module.css";
import { StateChip } from "./state-chip";
import { useWebhooksTexts } from "./texts/texts";
import { AddWebhook } from "./webhook-dialogs";
import { type Webhook, webhooksQuery } from "./webhooks-queries";

/** The addresses that events are sent to. */
export function WebhooksTab() {
  const words = useWebhooksTexts();
  const may = useMay();
  return (
    <>
      <p className="note">{words.intro}</p>
      {may("company") ? <Webhooks /> : <ForRoles task="company">{null}</ForRoles>}
    </>
  );
}

function Webhooks() {
  const words = useWebhooksTexts();
  const pages = useInfiniteQuery(webhooksQuery);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <div className={pageStyles.actions}>
        <Button onClick={() => setAdding(true)}>{words.add}</Button>
      </div>
      <PagedTable
        label={words.title}
        columns={useColumns()}
        pages={pages}
        rowKey={({ id }) => id}
        empty={
          <>
            <p>{words.none}</p>
            <p className="note">{words.noneHint}</p>
          </>
        }
        shown={words.shown}
      />
      <AddWebhook open={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}

function useColumns(): readonly Column<Webhook>[] {
  const words = useWebhooksTexts();
  const written = useInstant();
  return [
    {
      id: "url",
      title: words.url,
      width: "42%",
      cell: ({ id, url, description }) => (
        <div className={whoStyles.who}>
          <Link to="/settings/webhooks/$webhookId" params={{ webhookId: id }}>
            <bdi dir="ltr">{url}</bdi>
          </Link>
          {description && <bdi className="note">{description}</bdi>}
        </div>
      ),
    },
    {
      id: "events",
      title: words.events,
      width: "22%",
      cell: ({ types }) => (
        <span title={types.join(", ")}>
          {types.length === 1 && types[0] ? words.types[types[0]] : words.typeCount(types.length)}
        </span>
      ),
    },
    {
      id: "added",
      title: words.addedAt,
      width: "18%",
      cell: ({ created_at: at }) => <time dateTime={at}>{written(at)}</time>,
    },
    {
      id: "state",
      title: words.state,
      width: "18%",
      cell: (webhook) => <StateChip webhook={webhook} />,
    },
  ];
}
