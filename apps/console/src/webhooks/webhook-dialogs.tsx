import { Modal } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMoment } from "../language/use-moment";
import { toasts } from "../toast/toasts";
import { DialogForm } from "../ui/dialog-form";
import { SecretOnce } from "../ui/secret-once";
import { useWebhooksTexts } from "./texts/texts";
import { WebhookForm } from "./webhook-form";
import {
  addWebhook,
  changeWebhook,
  rotateSecret,
  WEBHOOKS,
  type Webhook,
  type WebhookSettings,
} from "./webhooks-queries";

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

function useChanged() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [WEBHOOKS] });
}

/** Adds a webhook, and shows its secret once. */
export function AddWebhook({ open, onClose }: DialogProps) {
  const texts = useWebhooksTexts();
  return (
    <Modal open={open} onClose={onClose} label={texts.add}>
      <AddForm onClose={onClose} />
    </Modal>
  );
}

function AddForm({ onClose }: Pick<DialogProps, "onClose">) {
  const texts = useWebhooksTexts();
  const adding = useMutation({ mutationFn: addWebhook, onSuccess: useChanged() });
  if (adding.data) {
    return (
      <Secret title={texts.added} hint={texts.once} value={adding.data.secret} onClose={onClose} />
    );
  }
  return (
    <WebhookForm
      title={texts.add}
      action={texts.add}
      isBusy={adding.isPending}
      error={adding.error}
      onSubmit={adding.mutate}
      onCancel={onClose}
    />
  );
}

interface WebhookProps extends DialogProps {
  readonly webhook: Webhook;
}

export function EditWebhook(props: WebhookProps) {
  const texts = useWebhooksTexts();
  return (
    <Modal open={props.open} onClose={props.onClose} label={texts.edit}>
      <EditForm {...props} />
    </Modal>
  );
}

function EditForm({ webhook, onClose }: WebhookProps) {
  const texts = useWebhooksTexts();
  const changed = useChanged();
  const saving = useMutation({
    mutationFn: (settings: WebhookSettings) => changeWebhook(webhook.id, settings),
    onSuccess: async () => {
      toasts.say(texts.saved);
      onClose();
      await changed();
    },
  });
  return (
    <WebhookForm
      title={texts.edit}
      action={texts.save}
      former={webhook}
      isBusy={saving.isPending}
      error={saving.error}
      onSubmit={saving.mutate}
      onCancel={onClose}
    />
  );
}

export function RotateSecret(props: WebhookProps) {
  const texts = useWebhooksTexts();
  return (
    <Modal open={props.open} onClose={props.onClose} label={texts.rotateAsk}>
      <RotateForm {...props} />
    </Modal>
  );
}

function RotateForm({ webhook, onClose }: WebhookProps) {
  const texts = useWebhooksTexts();
  const moment = useMoment();
  const rotating = useMutation({ mutationFn: () => rotateSecret(webhook.id) });
  if (rotating.data) {
    const { secret, former_until: until } = rotating.data;
    return (
      <Secret
        title={texts.rotated}
        hint={`${texts.once} ${texts.formerUntil(moment(until))}`}
        value={secret}
        onClose={onClose}
      />
    );
  }
  return (
    <DialogForm
      title={texts.rotateAsk}
      action={texts.rotate}
      isBusy={rotating.isPending}
      error={rotating.error}
      onSubmit={() => rotating.mutate()}
      onCancel={onClose}
    >
      <p>{texts.rotateHint}</p>
    </DialogForm>
  );
}

interface SecretProps {
  readonly title: string;
  readonly hint: string;
  readonly value: string;
  readonly onClose: () => void;
}

function Secret({ value, ...rest }: SecretProps) {
  const texts = useWebhooksTexts();
  return <SecretOnce {...rest} secret={value} copy={texts.copy} kept={texts.kept} />;
}
