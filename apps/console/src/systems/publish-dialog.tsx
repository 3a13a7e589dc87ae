import { Modal } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { meQuery } from "../api/me";
import { timeZone } from "../language/dates";
import { toasts } from "../toast/toasts";
import { ChoiceField } from "../ui/choice-field";
import { DialogForm } from "../ui/dialog-form";
import { InstantField } from "../ui/instant-field";
import { Changes } from "./changes";
import styles from "./systems.module.css";
import { publishDraft, SYSTEMS, type SystemHistory } from "./systems-queries";
import { useSystemsTexts } from "./texts/texts";

interface PublishDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly system: SystemHistory;
  /** Whether the register has no published system. */
  readonly isFirst: boolean;
}

const DAY_MS = 86_400_000;

/** Returns midnight in a week. */
function nextWeek(): string {
  const day = new Date(Date.now() + 7 * DAY_MS);
  day.setHours(0, 0, 0, 0);
  return day.toISOString();
}

/** Asks from when the version is in effect, and shows what it changes. */
export function PublishDialog(props: PublishDialogProps) {
  const texts = useSystemsTexts();
  return (
    <Modal open={props.open} onClose={props.onClose} label={texts.publish}>
      <PublishForm {...props} />
    </Modal>
  );
}

function PublishForm({ system, isFirst, onClose }: PublishDialogProps) {
  const texts = useSystemsTexts();
  const client = useQueryClient();
  const [when, setWhen] = useState<"now" | "at">("now");
  const [at, setAt] = useState(nextWeek);
  const { key, draft, versions } = system;
  const publishing = useMutation({
    mutationFn: () => publishDraft(key, draft?.revision ?? 0, when === "at" ? at : undefined),
    onSuccess: async () => {
      toasts.say(texts.published);
      onClose();
      await client.invalidateQueries({ queryKey: [SYSTEMS] });
      // The navigation shows the register once it is not empty.
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <DialogForm
      title={texts.publish}
      action={texts.publish}
      isBusy={publishing.isPending}
      isDisabled={when === "at" && at === ""}
      error={publishing.error}
      onSubmit={publishing.mutate}
      onCancel={onClose}
    >
      <p>{texts.publishHint}</p>
      {isFirst && <p>{texts.publishFirst}</p>}
      <ChoiceField
        label={texts.from}
        value={when}
        options={[
          { value: "now", label: texts.atOnce },
          { value: "at", label: texts.atDate },
        ]}
        onChange={setWhen}
      />
      {when === "at" && (
        <div className={styles.fields}>
          <InstantField label={texts.date} value={at} onChange={setAt} isInvalid={at === ""} />
          <p className="note">{texts.zone(timeZone())}</p>
        </div>
      )}
      {draft && versions.length > 0 && (
        <section className={styles.fields}>
          <h3>{texts.draftChanges}</h3>
          <Changes changes={draft.changes} />
        </section>
      )}
    </DialogForm>
  );
}
