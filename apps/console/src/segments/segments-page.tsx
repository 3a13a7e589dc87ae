import { Button, Modal } from "@musette/react/ui";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Tagged } from "../api/client";
import type { FlagsDocument, Segment } from "../configuration/document/document";
import styles from "../configuration/document/flag.module.css";
import { isNewKey } from "../configuration/document/new-key";
import { objectDraft } from "../configuration/drafts/object-draft";
import { FlagsFrame } from "../configuration/frame";
import { useDescriber } from "../configuration/review/use-describer";
import { useConfigurationTexts } from "../configuration/texts/texts";
import { type Column, LongTable } from "../table/long-table";
import { DialogForm } from "../ui/dialog-form";
import { Field } from "../ui/field";
import { ForRoles } from "../ui/for-roles";
import { PageTools } from "../ui/page-tools";
import { useSegmentsTexts } from "./texts/texts";
import { countOf, usesOfSegment } from "./uses";

export function SegmentsPage() {
  const texts = useSegmentsTexts();
  return (
    <FlagsFrame title={texts.title} intro={texts.intro}>
      {(env, base) => <Segments key={env} env={env} base={base} />}
    </FlagsFrame>
  );
}

interface SegmentsProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
}

function Segments({ env, base }: SegmentsProps) {
  const texts = useSegmentsTexts();
  const describer = useDescriber();
  const [isNew, setNew] = useState(false);
  const { segments } = base.body;
  const columns: readonly Column<Segment>[] = [
    {
      id: "key",
      title: texts.segment,
      width: "28%",
      cell: ({ key, description }) => (
        <div className={styles.flagName}>
          <Link to="/flags/segments/$key" params={{ key }} className={styles.flagLink}>
            <bdi>{key}</bdi>
          </Link>
          {description && <span className="note">{description}</span>}
        </div>
      ),
    },
    {
      id: "who",
      title: texts.people,
      width: "50%",
      cell: ({ match }) => <span>{describer.condition(match)}</span>,
    },
    {
      id: "uses",
      title: texts.usedBy,
      width: "22%",
      cell: ({ key }) => <UseList document={base.body} segment={key} />,
    },
  ];
  return (
    <>
      <PageTools>
        <ForRoles task="flags" scope={env}>
          <Button onClick={() => setNew(true)}>{texts.newSegment}</Button>
        </ForRoles>
      </PageTools>
      {segments.length === 0 ? (
        <div className="card calm">
          <p>{texts.empty}</p>
          <p className="note">{texts.emptyHint}</p>
        </div>
      ) : (
        <LongTable
          label={texts.segments}
          columns={columns}
          rows={segments}
          rowKey={({ key }) => key}
        />
      )}
      <Modal open={isNew} onClose={() => setNew(false)} label={texts.newSegment}>
        <NewSegment env={env} document={base.body} onClose={() => setNew(false)} />
      </Modal>
    </>
  );
}

const NAMED = 2;

function UseList(props: { readonly document: FlagsDocument; readonly segment: string }) {
  const texts = useSegmentsTexts();
  const describer = useDescriber();
  const uses = usesOfSegment(props.document, props.segment);
  const all = [...uses.flags, ...uses.segments, ...uses.holdouts];
  if (countOf(uses) === 0) return <span className="note">{texts.unused}</span>;
  if (all.length <= NAMED) return <span>{describer.list(all, "and")}</span>;
  const more = String(all.length - NAMED);
  return (
    <span>{describer.texts.andMore(all.slice(0, NAMED).join(describer.texts.comma), more)}</span>
  );
}

function NewSegment(props: {
  readonly env: string;
  readonly document: FlagsDocument;
  readonly onClose: () => void;
}) {
  const { env, document, onClose } = props;
  const texts = useSegmentsTexts();
  const { keyForm } = useConfigurationTexts();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const key = typed.trim();
  const isTaken = document.segments.some((segment) => segment.key === key);
  const isKey = isNewKey(key);
  const submit = () => {
    if (!isKey || isTaken) return;
    objectDraft<Segment>("segment", env, key).write({
      base: null,
      object: { key, match: { all: [] } },
    });
    onClose();
    void navigate({ to: "/flags/segments/$key", params: { key }, search: { env } });
  };
  return (
    <DialogForm
      title={texts.newSegment}
      action={texts.newSegment}
      isDisabled={!isKey || isTaken}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Field
        label={texts.key}
        hint={texts.keyHint}
        error={isTaken ? texts.keyTaken : key && !isKey ? keyForm : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed}
        onChange={setTyped}
      />
    </DialogForm>
  );
}
