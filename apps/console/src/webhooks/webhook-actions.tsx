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
  const texts = useWebhooksTexts();
  const client = useQueryClient();
  const [asking, setAsking] = useState<Asking>();
  const onClose = () => setAsking(undefined);
  const doing = useMutation({
    mutationFn: async (what: "test" | "pause") => {
      if (what === "test") {
        await testWebhook(webhook.id);
        return toasts.say(texts.tested);
      }
      await changeWebhook(webhook.id, { ...settingsOf(webhook), enabled: false });
      toasts.say(texts.pausedNow);
    },
    onSettled: () => client.invalidateQueries({ queryKey: [WEBHOOKS] }),
  });
  return (
    <>
      <div className={pageStyles.actions}>
        {webhook.enabled && (
          <>
            <Button loading={doing.isPending} onClick={() => doing.mutate("test")}>
              {texts.test}
            </Button>
            <Button
              kind="secondary"
              loading={doing.isPending}
              onClick={() => doing.mutate("pause")}
            >
              {texts.pause}
            </Button>
          </>
        )}
        <Button kind="secondary" onClick={() => setAsking("edit")}>
          {texts.edit}
        </Button>
        <Button kind="secondary" onClick={() => setAsking("rotate")}>
          {texts.rotate}
        </Button>
        <Button kind="danger" onClick={() => setAsking("delete")}>
          {texts.delete}
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
  const texts = useWebhooksTexts();
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={texts.deleteAsk}
      action={texts.delete}
      isDangerous
      onConfirm={async () => {
        await deleteWebhook(webhook.id);
        toasts.say(texts.deleted);
        await navigate({ to: "/settings/webhooks" });
        // The deleted webhook's page is being left, so its query is not refetched.
        await client.invalidateQueries({ queryKey: [WEBHOOKS], refetchType: "active" });
      }}
    >
      <p>
        <bdi dir="ltr">{webhook.url}</bdi>
      </p>
      <p>{texts.deleteHint}</p>
    </Confirm>
  );
}
