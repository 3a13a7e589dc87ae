import { Modal } from "@musette/react/ui";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { Flag, FlagsDocument, FlagType } from "../configuration/document/document";
import { flagAddress } from "../configuration/document/flag-link";
import { isNewKey } from "../configuration/document/new-key";
import { objectDraft } from "../configuration/drafts/object-draft";
import { useConfigurationTexts } from "../configuration/texts/texts";
import { DialogForm } from "../ui/dialog-form";
import { Field } from "../ui/field";
import styles from "./flags.module.css";
import { TYPES } from "./flags-search";
import { duplicateOf, newFlag } from "./new-flag-of";
import { useFlagsTexts } from "./texts/texts";

interface NewFlagProps {
  readonly env: string;
  readonly document: FlagsDocument;
  /** The flag to duplicate; absent for a new, empty one. */
  readonly of?: Flag;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks for what cannot be changed later. Everything else is in the editor. */
export function NewFlagDialog(props: NewFlagProps) {
  const texts = useFlagsTexts();
  return (
    <Modal open={props.open} onClose={props.onClose} label={texts.newFlag}>
      <NewFlag {...props} />
    </Modal>
  );
}

function NewFlag({ env, document, of, onClose }: NewFlagProps) {
  const texts = useFlagsTexts();
  const { keyForm } = useConfigurationTexts();
  const navigate = useNavigate();
  const [key, setKey] = useState(of ? `${of.key}-copy` : "");
  const [type, setType] = useState<FlagType>("boolean");
  const id = useId();
  const name = key.trim();
  const isTaken = document.flags.some((flag) => flag.key === name);
  const isKey = isNewKey(name);

  const submit = () => {
    if (isTaken || !isKey) return;
    const flag = of ? duplicateOf(of, name) : newFlag(name, type);
    objectDraft<Flag>("flag", env, flag.key).write({ base: null, object: flag });
    onClose();
    void navigate({ to: flagAddress(name), params: { key: name }, search: { env } });
  };
  return (
    <DialogForm
      title={of ? texts.duplicateTitle(of.key) : texts.newFlag}
      action={texts.goOn}
      isDisabled={!isKey || isTaken}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Field
        label={texts.key}
        hint={texts.keyHint}
        error={isTaken ? texts.keyTaken : name && !isKey ? keyForm : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={key}
        onChange={setKey}
      />
      {!of && (
        <fieldset className={styles.typeChoice}>
          <legend>{texts.type}</legend>
          {TYPES.map((option) => (
            <label key={option}>
              <input
                type="radio"
                name={id}
                checked={type === option}
                onChange={() => setType(option)}
              />
              <span>
                {texts.types[option]}
                <span className="note">{texts.typeHints[option]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </DialogForm>
  );
}
