import { Button } from "@musette/react/ui";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../api/use-may";
import { useInstant } from "../language/dates";
import type { Column } from "../table/long-table";
import { PagedTable } from "../table/paged-table";
import { ForRoles } from "../ui/for-roles";
import { PageTools } from "../ui/page-tools";
import whoStyles from "../ui/who.module.css";
import { StateChip } from "./state-chip";
import { useWebhooksTexts } from "./texts/texts";
import { AddWebhook } from "./webhook-dialogs";
import { type Webhook, webhooksQuery } from "./webhooks-queries";

/** The addresses that events are sent to. */
export function WebhooksTab() {
  const texts = useWebhooksTexts();
  const may = useMay();
  return (
    <>
      <p className="note">{texts.intro}</p>
      {may("company") ? <Webhooks /> : <ForRoles task="company">{null}</ForRoles>}
    </>
  );
}

function Webhooks() {
  const texts = useWebhooksTexts();
  const pages = useInfiniteQuery(webhooksQuery);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <PageTools>
        <Button onClick={() => setAdding(true)}>{texts.add}</Button>
      </PageTools>
      <PagedTable
        label={texts.title}
        columns={useColumns()}
        pages={pages}
        rowKey={({ id }) => id}
        empty={
          <>
            <p>{texts.none}</p>
            <p className="note">{texts.noneHint}</p>
          </>
        }
        shown={texts.shown}
        isPage
      />
      <AddWebhook open={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}

function useColumns(): readonly Column<Webhook>[] {
  const texts = useWebhooksTexts();
  const written = useInstant();
  return [
    {
      id: "url",
      title: texts.url,
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
      title: texts.events,
      width: "22%",
      cell: ({ types }) => (
        <span title={types.join(", ")}>
          {types.length === 1 && types[0] ? texts.types[types[0]] : texts.typeCount(types.length)}
        </span>
      ),
    },
    {
      id: "added",
      title: texts.addedAt,
      width: "18%",
      cell: ({ created_at: at }) => <time dateTime={at}>{written(at)}</time>,
    },
    {
      id: "state",
      title: texts.state,
      width: "18%",
      cell: (webhook) => <StateChip webhook={webhook} />,
    },
  ];
}
