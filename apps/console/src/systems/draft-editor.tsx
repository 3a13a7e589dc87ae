import { HttpError } from "@musette/client/http";
import { Button } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef } from "react";
import { toasts } from "../toast/toasts";
import pageStyles from "../ui/page.module.css";
import { FailureText } from "../ui/states";
import { DescriptionFields } from "./description-fields";
import { errorAt, isAboutFields } from "./errors";
import { bodyOf, type SystemForm } from "./form";
import styles from "./systems.module.css";
import { SYSTEMS, saveDraft } from "./systems-queries";
import { useSystemsTexts } from "./texts/texts";
import { Translations } from "./translations";
import { useForm } from "./use-form";

interface DraftEditorProps {
  readonly systemKey: string;
  readonly saved: SystemForm;
  /** The revision of the draft; undefined if there is none on the server. */
  readonly revision: number | undefined;
  readonly onChanged: (isChanged: boolean) => void;
}

/** The form of a draft, which is saved by a button. */
export function DraftEditor({ systemKey, saved, revision, onChanged }: DraftEditorProps) {
  const texts = useSystemsTexts();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const draft = useForm(systemKey, saved, revision);
  const saving = useMutation({
    mutationFn: () => saveDraft(systemKey, bodyOf(draft.form), revision),
    onSuccess: async () => {
      toasts.say(texts.saved);
      await client.invalidateQueries({ queryKey: [SYSTEMS] });
    },
  });
  const { isChanged } = draft;
  useEffect(() => onChanged(isChanged), [isChanged, onChanged]);
  useEffect(() => {
    if (!saving.isError) return;
    const error = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    const fold = error?.closest("details");
    if (fold) fold.open = true;
    error?.focus();
  }, [saving.isError]);
  const isStale = saving.error instanceof HttpError && saving.error.status === 412;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate();
  };
  const fields = { form: draft.form, edit: draft.edit, errorAt: errorAt(saving.error, texts) };
  return (
    <form ref={form} className={styles.fields} noValidate onSubmit={submit}>
      <DescriptionFields {...fields} />
      <Translations {...fields} />
      {isStale ? (
        <div className="failure" role="alert">
          <p>{texts.conflict}</p>
          <Button
            kind="secondary"
            onClick={() => {
              draft.reset();
              saving.reset();
              void client.invalidateQueries({ queryKey: [SYSTEMS] });
            }}
          >
            {texts.load}
          </Button>
        </div>
      ) : isAboutFields(saving.error) ? (
        <p className="failure" role="alert">
          {texts.check}
        </p>
      ) : (
        saving.isError && <FailureText error={saving.error} />
      )}
      <p role="status" className="note">
        {isChanged && (draft.wasRestored ? texts.restored : texts.unsaved)}
      </p>
      <div className={pageStyles.actions}>
        <Button
          type="submit"
          loading={saving.isPending}
          disabled={!isChanged && revision !== undefined}
        >
          {texts.save}
        </Button>
        {isChanged && (
          <Button kind="secondary" onClick={draft.reset}>
            {texts.reset}
          </Button>
        )}
      </div>
    </form>
  );
}
