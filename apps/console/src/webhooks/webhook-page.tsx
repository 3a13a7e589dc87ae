import { HttpError } from "@musette/client/http";
import { Button } from "@musette/react/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMay } from "../api/use-may";
import { useMoment } from "../language/use-moment";
import { toasts } from "../toast/toasts";
import bannerStyles from "../ui/banner.module.css";
import factStyles from "../ui/facts.module.css";
import { ForRoles } from "../ui/for-roles";
import { Skeleton } from "../ui/skeleton";
import { FailureText, LoadFailed } from "../ui/states";
import { Deliveries } from "./deliveries";
import { StateChip } from "./state-chip";
import { useWebhooksTexts } from "./texts/texts";
import { WebhookActions } from "./webhook-actions";
import styles from "./webhooks.module.css";
import {
  changeWebhook,
  settingsOf,
  WEBHOOKS,
  type Webhook,
  webhookQuery,
} from "./webhooks-queries";

/** A webhook and the deliveries of its events. */
export function WebhookPage() {
  const texts = useWebhooksTexts();
  const may = useMay();
  const { webhookId } = useParams({ from: "/inside/settings/webhooks/$webhookId" });
  return (
    <>
      <Link to="/settings/webhooks" className={styles.back}>
        {texts.back}
      </Link>
      {may("company") ? (
        <WebhookContent id={webhookId} />
      ) : (
        <ForRoles task="company">{null}</ForRoles>
      )}
    </>
  );
}

function WebhookContent({ id }: { readonly id: string }) {
  const texts = useWebhooksTexts();
  const query = useQuery(webhookQuery(id));
  if (query.isPending) return <Skeleton />;
  if (query.error instanceof HttpError && query.error.status === 404) {
    return <p className="card calm">{texts.notHere}</p>;
  }
  if (query.isError) return <LoadFailed error={query.error} onRetry={query.refetch} />;
  const webhook = query.data;
  return (
    <>
      <div className={styles.head}>
        <h2>
          <bdi dir="ltr">{webhook.url}</bdi>
        </h2>
        <StateChip webhook={webhook} />
      </div>
      {!webhook.enabled && <DisabledNotice webhook={webhook} />}
      <Facts webhook={webhook} />
      <WebhookActions webhook={webhook} />
      <Deliveries webhook={webhook} />
    </>
  );
}

/** Says since when and why nothing is sent, and offers to enable it again. */
function DisabledNotice({ webhook }: { readonly webhook: Webhook }) {
  const texts = useWebhooksTexts();
  const moment = useMoment();
  const client = useQueryClient();
  const { disabled_at: at, disabled_because: why } = webhook;
  const resuming = useMutation({
    mutationFn: () => changeWebhook(webhook.id, { ...settingsOf(webhook), enabled: true }),
    onSuccess: async () => {
      toasts.say(texts.resumed);
      await client.invalidateQueries({ queryKey: [WEBHOOKS] });
    },
  });
  return (
    <div className={`${bannerStyles.banner} ${styles.off}`}>
      <p>
        <strong>{why && texts.because[why]}</strong> {at && texts.offSince(moment(at))}
      </p>
      <p>{texts.resumeHint}</p>
      {resuming.isError && <FailureText error={resuming.error} />}
      <Button loading={resuming.isPending} onClick={() => resuming.mutate()}>
        {texts.resume}
      </Button>
    </div>
  );
}

function Facts({ webhook }: { readonly webhook: Webhook }) {
  const texts = useWebhooksTexts();
  const moment = useMoment();
  const { description, types, created_at: at } = webhook;
  return (
    <dl className={factStyles.facts}>
      {description && (
        <>
          <dt>{texts.description}</dt>
          <dd>
            <bdi>{description}</bdi>
          </dd>
        </>
      )}
      <dt>{texts.addedAt}</dt>
      <dd>
        <time dateTime={at}>{moment(at)}</time>
      </dd>
      <dt>{texts.events}</dt>
      <dd>
        <ul className={styles.told}>
          {types.map((type) => (
            <li key={type}>
              {texts.types[type]} <bdi className="mono note">{type}</bdi>
            </li>
          ))}
        </ul>
      </dd>
    </dl>
  );
}
