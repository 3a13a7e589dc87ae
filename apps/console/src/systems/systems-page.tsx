import { Button, Modal } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useLanguage } from "../language/language-context";
import { useDay } from "../language/use-day";
import { ListTools } from "../table/list-tools";
import { type Column, LongTable } from "../table/long-table";
import { DialogForm } from "../ui/dialog-form";
import { Field } from "../ui/field";
import { ForRoles } from "../ui/for-roles";
import { Page } from "../ui/page";
import { PageTools } from "../ui/page-tools";
import { LoadFailed } from "../ui/states";
import whoStyles from "../ui/who.module.css";
import styles from "./systems.module.css";
import { type SystemSummary, systemsQuery } from "./systems-queries";
import { useSystemsTexts } from "./texts/texts";

/** The register: all systems with a draft or a published version. */
export function SystemsPage() {
  const texts = useSystemsTexts();
  const { tag } = useLanguage().language;
  const columns = useColumns();
  const query = useQuery(systemsQuery);
  const [isAdding, setAdding] = useState(false);
  const rows = query.data ?? [];
  const isEmpty = query.isSuccess && rows.length === 0;
  return (
    <Page title={texts.title} intro={texts.intro}>
      <PageTools>
        <ForRoles task="systems">
          <Button onClick={() => setAdding(true)}>{texts.add}</Button>
        </ForRoles>
      </PageTools>
      <ListTools count={query.isSuccess && texts.shown(rows.length.toLocaleString(tag))} />
      {query.isError && <LoadFailed error={query.error} onRetry={query.refetch} />}
      {isEmpty && (
        <div className="card calm">
          <p>{texts.none}</p>
          <p className="note">{texts.noneHint}</p>
        </div>
      )}
      {!isEmpty && !query.isError && (
        <LongTable
          label={texts.title}
          columns={columns}
          rows={rows}
          rowKey={({ key }) => key}
          isLoading={query.isPending}
        />
      )}
      <Modal open={isAdding} onClose={() => setAdding(false)} label={texts.add}>
        <AddForm taken={rows.map(({ key }) => key)} onClose={() => setAdding(false)} />
      </Modal>
    </Page>
  );
}

function useColumns(): readonly Column<SystemSummary>[] {
  const texts = useSystemsTexts();
  const { tag } = useLanguage().language;
  const day = useDay();
  return [
    {
      id: "name",
      title: texts.name,
      width: "38%",
      cell: ({ key, name, kind }) => (
        <div className={whoStyles.who}>
          <Link to="/automated-systems/$systemKey" params={{ systemKey: key }}>
            <bdi>{name}</bdi>
          </Link>
          <span className="note">
            {texts.kinds[kind]} · <bdi className="mono">{key}</bdi>
          </span>
        </div>
      ),
    },
    {
      id: "state",
      title: texts.state,
      width: "24%",
      cell: ({ version_in_effect: version, has_draft: hasDraft, versions }) => (
        <div className={styles.chips}>
          {version !== null && (
            <span className="chip" data-tone="good">
              {texts.inEffect(version.toLocaleString(tag))}
            </span>
          )}
          {versions === 0 && <span className="chip">{texts.notPublished}</span>}
          {hasDraft && <span className="chip">{texts.hasDraft}</span>}
        </div>
      ),
    },
    {
      id: "markets",
      title: texts.markets,
      width: "20%",
      cell: ({ markets }) => <bdi>{markets.join(", ") || texts.everywhere}</bdi>,
    },
    {
      id: "next",
      title: texts.next,
      width: "18%",
      cell: ({ next_effective_from: from }) =>
        from === null ? "–" : <time dateTime={from}>{day(from)}</time>,
    },
  ];
}

interface AddFormProps {
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Asks for the key of a new system. Its description is saved on its own page. */
function AddForm({ taken, onClose }: AddFormProps) {
  const texts = useSystemsTexts();
  const navigate = useNavigate();
  const [key, setKey] = useState("");
  const isKey = /^[a-z][a-z0-9-]{0,62}$/.test(key);
  const error = () => {
    if (key !== "" && !isKey) return texts.keyError;
    return taken.includes(key) ? texts.keyTaken : undefined;
  };
  return (
    <DialogForm
      title={texts.add}
      action={texts.continue}
      isDisabled={!isKey || taken.includes(key)}
      onSubmit={() => {
        onClose();
        return navigate({
          to: "/automated-systems/$systemKey",
          params: { systemKey: key },
          search: { isNew: true },
        });
      }}
      onCancel={onClose}
    >
      <p>{texts.addHint}</p>
      <Field
        label={texts.key}
        hint={texts.keyHint}
        error={error()}
        dir="ltr"
        maxLength={63}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={key}
        onChange={setKey}
      />
    </DialogForm>
  );
}
