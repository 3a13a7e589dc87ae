import { Button } from "@musette/react/ui";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useInstant } from "../language/dates";
import { useLanguage } from "../language/language-context";
import type { Column } from "../table/long-table";
import { PagedTable } from "../table/paged-table";
import { toasts } from "../toast/toasts";
import { FailureText } from "../ui/states";
import whoStyles from "../ui/who.module.css";
import { useWebhooksTexts } from "./texts/texts";
import styles from "./webhooks.module.css";
import {
  type Delivery,
  deliveriesQuery,
  type EventType,
  resendDelivery,
  type Webhook,
  webhookQuery,
} from "./webhooks-queries";

/** The delivery of each event to a webhook, newest first. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const texts = useWebhooksTexts();
  const client = useQueryClient();
  const query = deliveriesQuery(webhook.id);
  const pages = useInfiniteQuery(query);
  const failed = pages.data?.pages.flatMap(({ items }) => items.filter(isFailed)).length;
  // A final failure may have disabled the webhook.
  useEffect(() => {
    if (failed) void client.invalidateQueries({ queryKey: webhookQuery(webhook.id).queryKey });
  }, [client, failed, webhook.id]);
  const resending = useMutation({
    mutationFn: (delivery: Delivery) => resendDelivery(webhook.id, delivery.id),
    onSuccess: () => {
      toasts.say(texts.resent);
      return client.invalidateQueries({ queryKey: query.queryKey });
    },
  });
  // A disabled webhook receives nothing, not even a repeated delivery.
  const columns = useColumns(webhook.enabled ? resending.mutate : undefined);
  return (
    <section className={styles.deliveries} aria-label={texts.deliveries}>
      <h2>{texts.deliveries}</h2>
      {resending.isError && <FailureText error={resending.error} />}
      <PagedTable
        label={texts.deliveries}
        columns={columns}
        pages={pages}
        rowKey={({ id }) => id}
        empty={
          <>
            <p>{texts.noDelivery}</p>
            <p className="note">{texts.noDeliveryHint}</p>
          </>
        }
        shown={texts.shownDeliveries}
      />
    </section>
  );
}

const isFailed = ({ status }: Delivery) => status === "failed";

const TONES = { waiting: "warning", delivered: "good", failed: "bad" } as const;

type OnResend = ((delivery: Delivery) => void) | undefined;

function useColumns(onResend: OnResend): readonly Column<Delivery>[] {
  const texts = useWebhooksTexts();
  const { tag } = useLanguage().language;
  const written = useInstant();
  const named = (type: string) =>
    type === "webhook.test" ? texts.testEvent : (texts.types[type as EventType] ?? type);
  return [
    {
      id: "event",
      title: texts.event,
      width: "29%",
      cell: ({ type, event_id: id }) => (
        <div className={whoStyles.who}>
          <span title={id}>{named(type)}</span>
          <bdi className="mono note">{type}</bdi>
        </div>
      ),
    },
    {
      id: "status",
      title: texts.status,
      width: "14%",
      cell: ({ status }) => (
        <span className="chip" data-tone={TONES[status]}>
          {texts.statuses[status]}
        </span>
      ),
    },
    {
      id: "tries",
      title: texts.tries,
      width: "23%",
      cell: ({ attempts, attempted_at: last, next_attempt_at: next }) => (
        <div className={whoStyles.who}>
          <span>
            {attempts.toLocaleString(tag)}
            {last && (
              <>
                {" · "}
                <time dateTime={last}>{written(last)}</time>
              </>
            )}
          </span>
          {next && <span className="note">{texts.nextTry(written(next))}</span>}
        </div>
      ),
    },
    {
      id: "answer",
      title: texts.answer,
      width: "18%",
      cell: ({ response_status: status, error }) => (
        <div className={whoStyles.who}>
          {status !== undefined && <span className="mono">{status}</span>}
          {status === undefined && error && (
            <bdi className="note" dir="ltr">
              {error}
            </bdi>
          )}
        </div>
      ),
    },
    ...(onResend ? [resendColumn(texts, named, onResend)] : []),
  ];
}

function resendColumn(
  texts: ReturnType<typeof useWebhooksTexts>,
  named: (type: string) => string,
  onResend: (delivery: Delivery) => void,
): Column<Delivery> {
  return {
    id: "resend",
    title: texts.resendTitle,
    width: "16%",
    cell: (delivery) => (
      <Button
        kind="secondary"
        aria-label={texts.resendThis(named(delivery.type))}
        onClick={() => onResend(delivery)}
      >
        {texts.resend}
      </Button>
    ),
  };
}
