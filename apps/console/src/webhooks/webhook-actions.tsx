import { Button } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import pageStyles from "../ui/page.module.css";
import { FailureText } from "../ui/states";
import { useWebhooksTexts } from "./texts/texts";
import { EditWebhook, RotateSecret } from "./webhook-dialogs";
import {
  changeWebhook,
  deleteWebhook,
  settingsOf,
  testWebhook,
  WEBHOOKS,
  type Webhook,
} from "./webhooks-queries";

type Asking = "edit" | "rotate" | "delete";

/** All actions on a webhook, except enabling it again: the notice that it is disabled offers that. */
export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const words = useWebhooksTexts();
  const client = useQueryClient();
  const [asking, setAsking] = useState<Asking>();
  const onClose = () => setAsking(undefined);
  const doing = useMutation({
    mutationFn: async (what: "test" | "pause") => {
      if (what === "test") {
        await testWebhook(webhook.id);
        return toasts.say(words.tested);
      }
      await changeWebhook(webhook.id, { ...settingsOf(webhook), enabled: false });
      toasts.say(words.pausedNow);
    },
    onSettled: () => client.invalidateQueries({ queryKey: [WEBHOOKS] }),
  });
  return (
    <>
      <div className={pageStyles.actions}>
        {webhook.enabled && (
          <>
            <Button loading={doing.isPending} onClick={() => doing.mutate("test")}>
              {words.test}
            </Button>
            <Button
              kind="secondary"
              loading={doing.isPending}
              onClick={() => doing.mutate("pause")}
            >
              {words.pause}
            </Button>
          </>
        )}
        <Button kind="secondary" onClick={() => setAsking("edit")}>
          {words.edit}
        </Button>
        <Button kind="secondary" onClick={() => setAsking("rotate")}>
          {words.rotate}
        </Button>
        <Button kind="danger" onClick={() => setAsking("delete")}>
          {words.delete}
        </Button>
      </div>
      {doing.isError && <FailureText error={doing.error} />}
      <EditWebhook webhook={webhook} open={asking === "edit"} onClose={onClose} />
      <RotateSecret webhook={webhook} open={asking === "rotate"} onClose={onClose} />
      <Delete webhook={webhook} open={asking === "delete"} onClose={onClose} />
    </>
  );
}

interface DeleteProps {
  readonly webhook: Webhook;
  readonly open: boolean;
  readonly onClose: () => void;
}

function Delete({ webhook, open, onClose }: DeleteProps) {
  const words = useWebhooksTexts();
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={words.deleteAsk}
      action={words.delete}
      isDangerous
      onConfirm={async () => {
        await deleteWebhook(webhook.id);
        toasts.say(words.deleted);
        await navigate({ to: "/settings/webhooks" });
        // The deleted webhook's page is being left, so its query is not refetched.
        await client.invalidateQueries({ queryKey: [WEBHOOKS], refetchType: "active" });
      }}
    >
      <p>
        <bdi dir="ltr">{webhook.url}</bdi>
      </p>
      <p>{words.deleteHint}</p>
    </Confirm>
  );
}
