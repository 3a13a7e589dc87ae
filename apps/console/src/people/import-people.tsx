import { HttpError, readProblem } from "@musette/client/http";
import { Button, Modal } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { withReauthentication } from "../api/reauthentication";
import type { Wire } from "../api/wire";
import { useLanguage } from "../language/language-context";
import { session } from "../session/session";
import { toasts } from "../toast/toasts";
import dialogStyles from "../ui/dialog.module.css";
import { DropZone } from "../ui/drop-zone";
import { FailureText } from "../ui/states";
import styles from "./people.module.css";
import { PEOPLE } from "./people-queries";
import { usePeopleTexts } from "./texts/texts";

interface ImportPeopleProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Imports people from a CSV file: first a preview of the changes, then the import. */
export function ImportPeople({ open, onClose }: ImportPeopleProps) {
  const importingTexts = usePeopleTexts().importing;
  return (
    <Modal open={open} onClose={onClose} label={importingTexts.title}>
      {open && <Importing onClose={onClose} />}
    </Modal>
  );
}

type ImportOutcome = Wire<"ImportBody">;

const send = (file: Blob, isDryRun: boolean): Promise<ImportOutcome> =>
  withReauthentication(() => sendOnce(file, isDryRun));

async function sendOnce(file: Blob, isDryRun: boolean): Promise<ImportOutcome> {
  const url = `${PEOPLE}/import${isDryRun ? "?dry_run=true" : ""}`;
  const headers = { "Content-Type": "text/csv" };
  const response = await session
    .fetch(url, { method: "POST", headers, body: file })
    .catch(async (error: unknown) => {
      if (error instanceof HttpError) error.problem ??= await readProblem(error.response);
      throw error;
    });
  if (response.ok) return response.json();
  const error = new HttpError(response);
  error.problem = await readProblem(response);
  throw error;
}

function Importing({ onClose }: { readonly onClose: () => void }) {
  const importingTexts = usePeopleTexts().importing;
  const { texts, language } = useLanguage();
  const client = useQueryClient();
  const id = useId();
  const [file, setFile] = useState<File>();
  const trying = useMutation({ mutationFn: (chosen: File) => send(chosen, true) });
  const importing = useMutation({
    mutationFn: (chosen: File) => send(chosen, false),
    onSuccess: ({ added, changed }) => {
      toasts.say(importingTexts.done(count(added), count(changed)));
      void client.invalidateQueries({ queryKey: [PEOPLE] });
      onClose();
    },
  });
  const count = (value: number) => value.toLocaleString(language.tag);
  const take = (chosen: File | undefined) => {
    if (!chosen) return;
    setFile(chosen);
    importing.reset();
    trying.mutate(chosen);
  };
  const would = trying.data;
  const changes = would ? would.added + would.changed : 0;
  return (
    <div className={dialogStyles.confirm}>
      <h2>{importingTexts.title}</h2>
      <p className="note">
        {importingTexts.columns}{" "}
        <bdi className="mono">id, email, phone, name, roles, market, locale</bdi>.{" "}
        {importingTexts.rules}
      </p>
      <DropZone className={styles.importDrop} onFile={take}>
        <p aria-hidden="true">{importingTexts.drop}</p>
        <input
          id={id}
          type="file"
          className="mu-hidden"
          accept=".csv,text/csv"
          onChange={({ target }) => {
            take(target.files?.[0]);
            // Allows the same file to be chosen again after it was corrected.
            target.value = "";
          }}
        />
        <label htmlFor={id} className="mu-button" data-kind="secondary">
          {importingTexts.choose}
        </label>
      </DropZone>
      <div role="status">
        {trying.isPending && <p>{texts.loading}</p>}
        {file && would && (
          <p>
            <strong>
              <bdi>{file.name}</bdi>
            </strong>
            {": "}
            {importingTexts.would(count(would.added), count(would.changed), count(would.unchanged))}
          </p>
        )}
      </div>
      <BadRows error={trying.error ?? importing.error} />
      <div className={dialogStyles.buttons}>
        <Button kind="secondary" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button
          disabled={!would || changes === 0}
          loading={importing.isPending}
          onClick={() => file && importing.mutate(file)}
        >
          {importingTexts.run}
        </Button>
      </div>
    </div>
  );
}

const SHOWN = 50;

/** The rows that the server refused, with their lines. Nothing was imported. */
function BadRows({ error }: { readonly error: unknown }) {
  const importingTexts = usePeopleTexts().importing;
  const { language } = useLanguage();
  if (!error) return null;
  const errors = error instanceof HttpError ? (error.problem?.errors ?? []) : [];
  if (errors.length === 0) return <FailureText error={error} />;
  return (
    <div className="failure" role="alert">
      {importingTexts.badRows(errors.length)}
      <ul className={styles.badRows}>
        {errors.slice(0, SHOWN).map(({ pointer, detail }) => (
          <li key={`${pointer} ${detail}`}>
            <bdi>{detail}</bdi>
          </li>
        ))}
      </ul>
      {errors.length > SHOWN &&
        importingTexts.more((errors.length - SHOWN).toLocaleString(language.tag))}
    </div>
  );
}
