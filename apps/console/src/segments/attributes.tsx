import { Button, Modal } from "@musette/react/ui";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { Tagged } from "../api/client";
import { OPERATORS } from "../configuration/conditions/operators";
import type { Attribute, AttributeType, FlagsDocument } from "../configuration/document/document";
import flagStyles from "../configuration/document/flag.module.css";
import { FlagLink } from "../configuration/document/flag-link";
import { ProposedChange } from "../configuration/review/proposed-change";
import { useLanguage } from "../language/language-context";
import { type Column, LongTable } from "../table/long-table";
import { ChoiceField } from "../ui/choice-field";
import dialogStyles from "../ui/dialog.module.css";
import { Field } from "../ui/field";
import iconButtonStyles from "../ui/icon-button.module.css";
import { PageTools } from "../ui/page-tools";
import quietStyles from "../ui/quiet-button.module.css";
import { useLastDefined } from "../ui/use-last";
import styles from "./segments.module.css";
import { useSegmentsTexts } from "./texts/texts";
import { countOf, usesOfAttribute } from "./uses";

const TYPES = Object.keys(OPERATORS) as AttributeType[];
const NEW: Attribute = { name: "", type: "string" };

/** The attributes that conditions can use, and their uses. An attribute in use cannot be removed. */
export function Attributes({ env, base }: { env: string; base: Tagged<FlagsDocument> }) {
  const texts = useSegmentsTexts();
  const [edited, setEdited] = useState<{ attribute: Attribute; isNew: boolean }>();
  const named = useLastDefined(edited);
  const [proposed, setProposed] = useState<FlagsDocument>();
  const { attributes } = base.body;
  const put = (attribute: Attribute) => {
    setEdited(undefined);
    const isNew = !attributes.some(({ name }) => name === attribute.name);
    const changed = attributes.map((entry) => (entry.name === attribute.name ? attribute : entry));
    setProposed({ ...base.body, attributes: isNew ? [...attributes, attribute] : changed });
  };
  const remove = (name: string) =>
    setProposed({
      ...base.body,
      attributes: attributes.filter((attribute) => attribute.name !== name),
    });
  const columns = useColumns(
    base.body,
    (attribute) => setEdited({ attribute, isNew: false }),
    remove,
  );
  return (
    <>
      <PageTools>
        <Button onClick={() => setEdited({ attribute: NEW, isNew: true })}>
          {texts.newAttribute}
        </Button>
      </PageTools>
      {attributes.length > 0 ? (
        <LongTable
          label={texts.attributes}
          columns={columns}
          rows={attributes}
          rowKey={({ name }) => name}
          isMore={false}
          isLoading={false}
          onMore={() => undefined}
        />
      ) : (
        <p className="card calm">{texts.noAttributes}</p>
      )}
      <Modal
        open={edited !== undefined}
        onClose={() => setEdited(undefined)}
        label={named?.isNew ? texts.newAttribute : texts.edit(named?.attribute.name ?? "")}
      >
        {edited && (
          <AttributeForm
            attributes={attributes}
            original={edited.attribute}
            isNew={edited.isNew}
            onClose={() => setEdited(undefined)}
            onDone={put}
          />
        )}
      </Modal>
      <ProposedChange
        env={env}
        base={base}
        proposed={proposed}
        saved={texts.saved}
        onClose={() => setProposed(undefined)}
      />
    </>
  );
}

function useColumns(
  document: FlagsDocument,
  onEdit: (attribute: Attribute) => void,
  onRemove: (name: string) => void,
): readonly Column<Attribute>[] {
  const texts = useSegmentsTexts();
  return [
    {
      id: "name",
      title: texts.name,
      width: "30%",
      cell: ({ name, description }) => (
        <div className={flagStyles.flagName}>
          <bdi className="mono">{name}</bdi>
          {description && <span className="note">{description}</span>}
        </div>
      ),
    },
    { id: "type", title: texts.type, width: "18%", cell: ({ type }) => texts.types[type] },
    {
      id: "uses",
      title: texts.usedBy,
      width: "32%",
      cell: ({ name }) => <Uses document={document} name={name} />,
    },
    {
      id: "change",
      title: texts.change,
      width: "20%",
      cell: (attribute) => (
        <span className={styles.rowActions}>
          <button
            type="button"
            className={quietStyles.quiet}
            aria-label={texts.edit(attribute.name)}
            onClick={() => onEdit(attribute)}
          >
            {texts.editShort}
          </button>
          {countOf(usesOfAttribute(document, attribute.name)) === 0 && (
            <button
              type="button"
              className={iconButtonStyles.iconButton}
              aria-label={texts.remove(attribute.name)}
              onClick={() => onRemove(attribute.name)}
            >
              ×
            </button>
          )}
        </span>
      ),
    },
  ];
}

function Uses({ document, name }: { document: FlagsDocument; name: string }) {
  const texts = useSegmentsTexts();
  const uses = usesOfAttribute(document, name);
  if (countOf(uses) === 0) return <span className="note">{texts.unused}</span>;
  return (
    <ul className={styles.uses}>
      {uses.flags.map((key) => (
        <li key={`flag ${key}`}>
          <FlagLink flag={key} />
        </li>
      ))}
      {uses.segments.map((key) => (
        <li key={`segment ${key}`}>
          <Link to="/flags/segments/$key" params={{ key }}>
            <bdi>{key}</bdi>
          </Link>
        </li>
      ))}
      {uses.holdouts.map((key) => (
        <li key={`holdout ${key}`}>
          <Link to="/holdouts/$key" params={{ key }}>
            <bdi>{key}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The type is fixed on creation, because rules compare an attribute by its type. */
function AttributeForm(props: {
  readonly attributes: readonly Attribute[];
  readonly original: Attribute;
  readonly isNew: boolean;
  readonly onClose: () => void;
  readonly onDone: (attribute: Attribute) => void;
}) {
  const { attributes, original, isNew, onClose, onDone } = props;
  const segmentsTexts = useSegmentsTexts();
  const { texts } = useLanguage();
  const [name, setName] = useState(original.name);
  const [type, setType] = useState(original.type);
  const [description, setDescription] = useState(original.description ?? "");
  const isTaken = isNew && attributes.some((attribute) => attribute.name === name.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim() || isTaken) return;
    const trimmed = description.trim();
    onDone({ name: name.trim(), type, ...(trimmed && { description: trimmed }) });
  };
  return (
    <form className={dialogStyles.confirm} onSubmit={submit}>
      <h2>{isNew ? segmentsTexts.newAttribute : segmentsTexts.edit(name)}</h2>
      {isNew && (
        <>
          <Field
            label={segmentsTexts.name}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={200}
            value={name}
            onChange={setName}
            error={isTaken ? segmentsTexts.keyTaken : undefined}
          />
          <ChoiceField
            label={segmentsTexts.type}
            value={type}
            options={TYPES.map((option) => ({ value: option, label: segmentsTexts.types[option] }))}
            onChange={setType}
          />
        </>
      )}
      <Field
        label={segmentsTexts.description}
        required={false}
        value={description}
        onChange={setDescription}
      />
      <div className={dialogStyles.buttons}>
        <Button kind="secondary" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit" disabled={!name.trim() || isTaken}>
          {segmentsTexts.review}
        </Button>
      </div>
    </form>
  );
}
