import { Button } from "@musette/react/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useIsAdmin } from "../api/use-is-admin";
import type { Wire } from "../api/wire";
import { readEnvironmentSearch } from "../configuration/document/environment-search";
import { useInstant } from "../language/dates";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import { Field } from "../ui/field";
import listStyles from "../ui/list.module.css";
import { Skeleton } from "../ui/skeleton";
import { FailureText, LoadFailed } from "../ui/states";
import { useLastDefined } from "../ui/use-last";
import whoStyles from "../ui/who.module.css";
import styles from "./settings.module.css";
import { addEnvironment, archiveEnvironment, everyEnvironmentQuery } from "./settings-queries";
import { useSettingsTexts } from "./texts/texts";

/** The environments of flags. */
export function EnvironmentsTab() {
  const texts = useSettingsTexts();
  const client = useQueryClient();
  const isAdmin = useIsAdmin();
  const environments = useQuery(everyEnvironmentQuery);
  const [archiving, setArchiving] = useState<string>();
  const changed = () => client.invalidateQueries({ queryKey: ["environments"] });
  const restoring = useMutation({
    mutationFn: addEnvironment,
    async onSuccess(_, name) {
      toasts.say(texts.restored(name));
      await changed();
    },
  });
  if (environments.isPending) return <Skeleton rows={3} />;
  if (environments.isError) {
    return <LoadFailed error={environments.error} onRetry={environments.refetch} />;
  }
  return (
    <>
      <p className="note">
        {texts.environmentsIntro} {!isAdmin && texts.environmentsOfAdmins}
      </p>
      {restoring.isError && <FailureText error={restoring.error} />}
      {environments.data.length > 0 && (
        <ul className={`card ${listStyles.rows}`}>
          {environments.data.map((environment) => (
            <EnvironmentRow
              key={environment.name}
              environment={environment}
              onArchive={setArchiving}
              onRestore={restoring.mutate}
            />
          ))}
        </ul>
      )}
      {isAdmin && (
        <AddEnvironment onAdded={changed} names={environments.data.map(({ name }) => name)} />
      )}
      <Archive
        name={archiving}
        onClose={() => setArchiving(undefined)}
        onArchived={(name) => {
          toasts.say(texts.archivedNow(name), () => restoring.mutate(name));
          return changed();
        }}
      />
    </>
  );
}

interface EnvironmentRowProps {
  readonly environment: Wire<"EnvironmentBody">;
  readonly onArchive: (name: string) => void;
  readonly onRestore: (name: string) => void;
}

function EnvironmentRow({ environment, onArchive, onRestore }: EnvironmentRowProps) {
  const texts = useSettingsTexts();
  const written = useInstant();
  const isAdmin = useIsAdmin();
  const { name, version, changed_at, archived_at } = environment;
  return (
    <li>
      <div className={whoStyles.who}>
        <span>
          <bdi className={styles.keyName}>{name}</bdi>{" "}
          {archived_at && <span className="chip">{texts.archived}</span>}
        </span>
        <span className="note">
          {version === 0
            ? texts.noVersion
            : texts.versionOf(String(version), written(changed_at ?? ""))}
        </span>
      </div>
      {isAdmin && archived_at && (
        <Button
          kind="secondary"
          aria-label={texts.restoreThis(name)}
          onClick={() => onRestore(name)}
        >
          {texts.restore}
        </Button>
      )}
      {isAdmin && !archived_at && (
        <Button
          kind="secondary"
          aria-label={texts.archiveThis(name)}
          onClick={() => onArchive(name)}
        >
          {texts.archive}
        </Button>
      )}
    </li>
  );
}

interface AddEnvironmentProps {
  readonly names: readonly string[];
  readonly onAdded: () => Promise<void>;
}

function AddEnvironment({ names, onAdded }: AddEnvironmentProps) {
  const texts = useSettingsTexts();
  const [name, setName] = useState("");
  const adding = useMutation({
    mutationFn: addEnvironment,
    async onSuccess(_, added) {
      setName("");
      toasts.say(texts.environmentAdded(added));
      await onAdded();
    },
  });
  const isTaken = names.includes(name.trim());
  const isName = readEnvironmentSearch({ env: name.trim() }).env !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isName && !isTaken) adding.mutate(name.trim());
  };
  return (
    <form className={`card ${styles.addEnvironment}`} onSubmit={submit}>
      <h2>{texts.addEnvironment}</h2>
      <Field
        label={texts.environmentName}
        hint={texts.environmentNameHint}
        value={name}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={isTaken ? texts.taken : name && !isName ? texts.noName : undefined}
        onChange={setName}
      />
      {adding.isError && <FailureText error={adding.error} />}
      <Button type="submit" loading={adding.isPending} disabled={!isName || isTaken}>
        {texts.add}
      </Button>
    </form>
  );
}

interface ArchiveProps {
  readonly name: string | undefined;
  readonly onClose: () => void;
  readonly onArchived: (name: string) => unknown;
}

function Archive({ name, onClose, onArchived }: ArchiveProps) {
  const texts = useSettingsTexts();
  const shownName = useLastDefined(name) ?? "";
  return (
    <Confirm
      open={name !== undefined}
      onClose={onClose}
      title={texts.archiveAsk(shownName)}
      action={texts.archive}
      isDangerous
      typed={{ label: texts.typeName(shownName), word: shownName }}
      onConfirm={async () => {
        await archiveEnvironment(shownName);
        await onArchived(shownName);
      }}
    >
      <p>{texts.archiveHint}</p>
    </Confirm>
  );
}
