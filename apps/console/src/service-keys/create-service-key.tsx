import { Modal } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { areGrants, type Chosen, GrantsField, grantsFrom } from "../grants/grants-field";
import { DialogForm } from "../ui/dialog-form";
import { Field } from "../ui/field";
import { SecretOnce } from "../ui/secret-once";
import { createServiceKey, SERVICE_KEYS } from "./service-keys-queries";
import { useServiceKeysTexts } from "./texts/texts";

interface CreateServiceKeyProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

export function CreateServiceKey({ open, onClose }: CreateServiceKeyProps) {
  const texts = useServiceKeysTexts();
  return (
    <Modal open={open} onClose={onClose} label={texts.create}>
      <CreateForm onClose={onClose} />
    </Modal>
  );
}

const OFFERED = ["viewer", "dispatcher", "support", "legal", "product"] as const;

function CreateForm({ onClose }: Pick<CreateServiceKeyProps, "onClose">) {
  const texts = useServiceKeysTexts();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<Chosen>({ viewer: "" });
  const [expires, setExpires] = useState("");
  const creating = useMutation({
    mutationFn: createServiceKey,
    onSuccess: () => client.invalidateQueries({ queryKey: [SERVICE_KEYS] }),
  });
  if (creating.data) {
    return (
      <SecretOnce
        title={texts.created}
        hint={texts.once}
        secret={creating.data.key}
        copy={texts.copy}
        kept={texts.kept}
        onClose={onClose}
      />
    );
  }
  const roles = grantsFrom(chosen);
  return (
    <DialogForm
      title={texts.create}
      action={texts.create}
      isBusy={creating.isPending}
      isDisabled={!name.trim() || roles.length === 0 || !areGrants(roles)}
      error={creating.error}
      onSubmit={() =>
        creating.mutate({
          name: name.trim(),
          roles,
          // At the end of that day, in this browser's time zone.
          ...(expires && { expires_at: new Date(`${expires}T23:59:59`).toISOString() }),
        })
      }
      onCancel={onClose}
    >
      <Field
        label={texts.name}
        hint={texts.nameHint}
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <GrantsField offered={OFFERED} chosen={chosen} onChange={setChosen} />
      <Field
        type="date"
        label={texts.expires}
        hint={texts.expiresHint}
        required={false}
        value={expires}
        onChange={setExpires}
      />
    </DialogForm>
  );
}
