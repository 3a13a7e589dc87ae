import { HttpError } from "@musette/client/http";
import { Button } from "@musette/react/ui";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../api/use-may";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import { ForRoles } from "../ui/for-roles";
import { Page } from "../ui/page";
import pageStyles from "../ui/page.module.css";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { Description } from "./description";
import { DraftEditor } from "./draft-editor";
import { emptyForm, formOf } from "./form";
import { PublishDialog } from "./publish-dialog";
import styles from "./systems.module.css";
import {
  deleteDraft,
  SYSTEMS,
  type SystemHistory,
  systemQuery,
  systemsQuery,
} from "./systems-queries";
import { useSystemsTexts } from "./texts/texts";
import { Versions } from "./versions";

/** One system: its draft and its published versions. */
export function SystemPage() {
  const texts = useSystemsTexts();
  const { systemKey } = useParams({ from: "/inside/automated-systems/$systemKey" });
  const { isNew } = useSearch({ from: "/inside/automated-systems/$systemKey" });
  const query = useQuery(systemQuery(systemKey));
  const isAbsent = query.error instanceof HttpError && query.error.status === 404;
  const system: SystemHistory | undefined =
    query.data ?? (isAbsent && isNew ? { key: systemKey, draft: null, versions: [] } : undefined);
  const name = system?.versions[0]?.name ?? system?.draft?.name;
  return (
    <Page title={name ?? systemKey} intro={name === undefined ? undefined : systemKey}>
      {query.isPending && <Skeleton rows={6} />}
      {isAbsent && !system && <p className="card calm">{texts.notHere}</p>}
      {query.isError && !isAbsent && <LoadFailed error={query.error} onRetry={query.refetch} />}
      {system && <SystemContent system={system} />}
    </Page>
  );
}

function SystemContent({ system }: { readonly system: SystemHistory }) {
  const may = useMay();
  return (
    <>
      {may("systems") ? (
        // After a publication there is no draft: the form is closed again.
        <DraftSection key={system.draft ? "draft" : "none"} system={system} />
      ) : (
        <ReadDraft system={system} />
      )}
      {system.versions.length > 0 && <Versions versions={system.versions} />}
    </>
  );
}

/** The draft, for people who may not edit it. */
function ReadDraft({ system }: { readonly system: SystemHistory }) {
  const texts = useSystemsTexts();
  return (
    <>
      <ForRoles task="systems">{null}</ForRoles>
      {system.draft && (
        <section className={`card ${styles.fields}`}>
          <h2>{texts.draft}</h2>
          <Description body={system.draft} />
        </section>
      )}
    </>
  );
}

function DraftSection({ system }: { readonly system: SystemHistory }) {
  const texts = useSystemsTexts();
  const { draft, versions } = system;
  const [isBegun, setBegun] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const newest = draft ?? versions[0];
  const isEdited = draft !== null || isBegun || versions.length === 0;
  return (
    <section className={`card ${styles.fields}`}>
      <h2>{texts.draft}</h2>
      {isEdited ? (
        <>
          {draft && <DraftActions system={system} isChanged={isChanged} />}
          <DraftEditor
            // A draft that was saved or published meanwhile has another form.
            key={draft?.revision ?? "none"}
            systemKey={system.key}
            saved={newest ? formOf(newest) : emptyForm}
            revision={draft?.revision}
            onChanged={setChanged}
          />
        </>
      ) : (
        <>
          <p className="note">{texts.noDraft}</p>
          <div className={pageStyles.actions}>
            <Button kind="secondary" onClick={() => setBegun(true)}>
              {texts.edit}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

interface DraftActionsProps {
  readonly system: SystemHistory;
  readonly isChanged: boolean;
}

function DraftActions({ system, isChanged }: DraftActionsProps) {
  const texts = useSystemsTexts();
  const client = useQueryClient();
  const all = useQuery(systemsQuery).data;
  const [open, setOpen] = useState<"publish" | "discard">();
  const close = () => setOpen(undefined);
  const isFirst = all?.every(({ versions }) => versions === 0) ?? false;
  const discard = async () => {
    await deleteDraft(system.key, system.draft?.revision ?? 0);
    toasts.say(texts.discarded);
    await client.invalidateQueries({ queryKey: [SYSTEMS] });
  };
  return (
    <>
      <div className={pageStyles.actions}>
        <Button disabled={isChanged} onClick={() => setOpen("publish")}>
          {texts.publish}
        </Button>
        <Button kind="secondary" onClick={() => setOpen("discard")}>
          {texts.discard}
        </Button>
      </div>
      {isChanged && <p className="note">{texts.saveFirst}</p>}
      <PublishDialog open={open === "publish"} onClose={close} system={system} isFirst={isFirst} />
      <Confirm
        open={open === "discard"}
        onClose={close}
        title={texts.discardAsk}
        action={texts.discard}
        isDangerous
        onConfirm={discard}
      >
        <p>{texts.discardHint}</p>
      </Confirm>
    </>
  );
}
