import { Button, Modal } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CopyButton } from "../ui/copy-button";
import dialogStyles from "../ui/dialog.module.css";
import { DialogForm } from "../ui/dialog-form";
import { Field } from "../ui/field";
import roleBoxStyles from "../ui/role-boxes.module.css";
import secretStyles from "../ui/secret.module.css";
import { createKey, type Key, keysKey, type NewKey } from "./settings-queries";
import { useSettingsTexts } from "./texts/texts";

interface CreateKeyProps {
  readonly environment: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function CreateKey({ open, ...props }: CreateKeyProps) {
  const texts = useSettingsTexts();
  return (
    <Modal open={open} onClose={props.onClose} label={texts.createKey}>
      <CreateKeyForm {...props} />
    </Modal>
  );
}

function CreateKeyForm({ environment, onClose }: Omit<CreateKeyProps, "open">) {
  const texts = useSettingsTexts();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Key["kind"]>("client");
  const [debug, setDebug] = useState(false);
  const creating = useMutation({
    mutationFn: (key: NewKey) => createKey(environment, key),
    onSuccess: () => client.invalidateQueries({ queryKey: keysKey }),
  });
  if (creating.data) return <CreatedKey secret={creating.data.key} onClose={onClose} />;
  return (
    <DialogForm
      title={texts.createKeyIn(environment)}
      action={texts.createKey}
      isBusy={creating.isPending}
      error={creating.error}
      onSubmit={() => creating.mutate({ kind, debug, ...(name.trim() && { name: name.trim() }) })}
      onCancel={onClose}
    >
      <Field
        label={texts.keyName}
        hint={texts.keyNameHint}
        value={name}
        maxLength={200}
        autoComplete="off"
        onChange={setName}
      />
      <fieldset className={roleBoxStyles.boxes}>
        <legend>{texts.kind}</legend>
        {(["client", "server"] as const).map((option) => (
          <label key={option}>
            <input
              type="radio"
              name="kind"
              checked={kind === option}
              onChange={() => setKind(option)}
            />
            <span>
              <strong>{texts.kinds[option]}</strong>
              <small className="note">{texts.kindHints[option]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset className={roleBoxStyles.boxes}>
        <legend>{texts.traces}</legend>
        <label>
          <input
            type="checkbox"
            className="mu-checkbox"
            checked={debug}
            onChange={({ target }) => setDebug(target.checked)}
          />
          <span>
            <strong>{texts.seesTraces}</strong>
            <small className="note">{texts.tracesHint}</small>
          </span>
        </label>
      </fieldset>
    </DialogForm>
  );
}

/** Shows the key once: the server keeps only a hash. */
function CreatedKey({
  secret,
  onClose,
}: {
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const texts = useSettingsTexts();
  return (
    <div className={dialogStyles.confirm}>
      <h2>{texts.keyCreated}</h2>
      <div className={secretStyles.secret}>
        <p>{texts.keyOnce}</p>
        <code dir="ltr">{secret}</code>
        <CopyButton text={secret} label={texts.copyKey} />
      </div>
      <div className={dialogStyles.buttons}>
        <Button onClick={onClose}>{texts.keyKept}</Button>
      </div>
    </div>
  );
}
