import { HttpError } from "@musette/client/http";
import { useState } from "react";
import { DialogForm } from "../ui/dialog-form";
import { Field } from "../ui/field";
import { EventTypesField } from "./event-types-field";
import { useWebhooksTexts } from "./texts/texts";
import type { Webhook, WebhookSettings } from "./webhooks-queries";

interface WebhookFormProps {
  readonly title: string;
  readonly action: string;
  /** The current settings; absent when it is added. */
  readonly former?: Webhook;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onSubmit: (settings: WebhookSettings) => void;
  readonly onCancel: () => void;
}

const codeOf = (error: unknown) => (error instanceof HttpError ? error.problem?.code : undefined);

export function WebhookForm({ former, error, onSubmit, ...form }: WebhookFormProps) {
  const texts = useWebhooksTexts();
  const [url, setUrl] = useState(former?.url ?? "");
  const [description, setDescription] = useState(former?.description ?? "");
  const [types, setTypes] = useState(former?.types ?? []);
  const isNotAllowed = codeOf(error) === "address_not_allowed";
  const settings = {
    url: url.trim(),
    types,
    ...(description.trim() && { description: description.trim() }),
  };
  return (
    <DialogForm
      {...form}
      isDisabled={!settings.url || types.length === 0}
      error={isNotAllowed ? undefined : error}
      onSubmit={() => onSubmit(settings)}
    >
      <Field
        type="url"
        label={texts.url}
        hint={texts.urlHint}
        error={isNotAllowed ? texts.notAllowed : undefined}
        dir="ltr"
        maxLength={2000}
        autoComplete="off"
        spellCheck={false}
        value={url}
        onChange={setUrl}
      />
      <Field
        label={texts.description}
        hint={texts.descriptionHint}
        required={false}
        maxLength={500}
        autoComplete="off"
        value={description}
        onChange={setDescription}
      />
      <EventTypesField chosen={types} onChange={setTypes} />
    </DialogForm>
  );
}
