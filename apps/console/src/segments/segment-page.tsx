import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Tagged } from "../api/client";
import { ConditionEditor } from "../configuration/conditions/condition-editor";
import conditionsStyles from "../configuration/conditions/conditions.module.css";
import { FieldErrorsContext } from "../configuration/conditions/field-errors-context";
import { type FlagsDocument, type Segment, withSegment } from "../configuration/document/document";
import { EnvironmentSwitch } from "../configuration/document/environment-switch";
import flagStyles from "../configuration/document/flag.module.css";
import { FlagLink } from "../configuration/document/flag-link";
import { useObjectDraft } from "../configuration/drafts/object-draft";
import { SaveBar } from "../configuration/drafts/save-bar";
import saveBarStyles from "../configuration/drafts/save-bar.module.css";
import { WithDocument } from "../configuration/frame";
import { ReviewDialog } from "../configuration/review/review-dialog";
import { toasts } from "../toast/toasts";
import { Field } from "../ui/field";
import { Page } from "../ui/page";
import { PageTools } from "../ui/page-tools";
import quietStyles from "../ui/quiet-button.module.css";
import segmentsStyles from "./segments.module.css";
import { useSegmentsTexts } from "./texts/texts";
import { useSegmentErrors } from "./use-segment-errors";
import { countOf, usesOfSegment } from "./uses";

export function SegmentPage() {
  const { key = "" } = useParams({ strict: false });
  return (
    <Page title={key}>
      <PageTools>
        <EnvironmentSwitch />
      </PageTools>
      <WithDocument>
        {(env, base) => (
          <SegmentEditor key={`${env}/${key}`} env={env} segmentKey={key} base={base} />
        )}
      </WithDocument>
    </Page>
  );
}

interface SegmentEditorProps {
  readonly env: string;
  readonly segmentKey: string;
  readonly base: Tagged<FlagsDocument>;
}

type Draft = ReturnType<typeof useObjectDraft<Segment>>;

const without = (document: FlagsDocument, key: string): FlagsDocument => ({
  ...document,
  segments: document.segments.filter((segment) => segment.key !== key),
});

function SegmentEditor({ env, segmentKey, base }: SegmentEditorProps) {
  const texts = useSegmentsTexts();
  const saved = base.body.segments.find(({ key }) => key === segmentKey);
  const draft = useObjectDraft("segment", env, segmentKey, saved);
  const { object: segment } = draft;
  if (!segment) return <p className="card calm">{texts.gone}</p>;
  return <SegmentForm env={env} base={base} segment={segment} isNew={!saved} draft={draft} />;
}

function SegmentForm(props: {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  readonly segment: Segment;
  readonly isNew: boolean;
  readonly draft: Draft;
}) {
  const { env, base, segment, isNew, draft } = props;
  const texts = useSegmentsTexts();
  const document = withSegment(base.body, segment);
  const errors = useSegmentErrors(env, document, segment.key, draft.isChanged);
  const describe = (text: string) => {
    const { description: _, ...rest } = segment;
    draft.change(() => (text ? { ...rest, description: text } : rest));
  };
  const others = {
    ...document,
    segments: document.segments.filter((entry) => entry.key !== segment.key),
  };
  return (
    <FieldErrorsContext value={errors}>
      <div className={`card ${segmentsStyles.segmentForm}`}>
        <Field
          label={texts.description}
          required={false}
          value={segment.description ?? ""}
          onChange={describe}
        />
        <fieldset className={conditionsStyles.rulePart}>
          <legend>{texts.who}</legend>
          <p className="note">{texts.whoHint}</p>
          <ConditionEditor
            condition={segment.match}
            document={others}
            pointer="/match"
            onChange={(match) => draft.change(() => ({ ...segment, match }))}
          />
        </fieldset>
      </div>
      {!isNew && <SegmentUses env={env} base={base} segment={segment} draft={draft} />}
      {draft.isChanged && (
        <div className={saveBarStyles.dock}>
          <SaveBar
            env={env}
            base={base}
            ancestor={
              draft.base ? withSegment(base.body, draft.base) : without(base.body, segment.key)
            }
            document={document}
            isNew={isNew}
            title={texts.edit(segment.key)}
            saved={texts.saved}
            onDiscard={draft.discard}
          />
        </div>
      )}
    </FieldErrorsContext>
  );
}

function SegmentUses(props: {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  readonly segment: Segment;
  readonly draft: Draft;
}) {
  const { env, base, segment, draft } = props;
  const texts = useSegmentsTexts();
  const navigate = useNavigate();
  const [isLeaving, setLeaving] = useState(false);
  const uses = usesOfSegment(base.body, segment.key);
  const isUsed = countOf(uses) > 0;
  return (
    <section className={`card ${segmentsStyles.segmentUses}`} aria-label={texts.usedBy}>
      <h2>{texts.usedBy}</h2>
      {!isUsed && <p className="note">{texts.unused}</p>}
      <ul>
        {uses.flags.map((key) => (
          <li key={key}>
            <FlagLink flag={key} />
          </li>
        ))}
        {uses.segments.map((key) => (
          <li key={key}>
            <Link to="/flags/segments/$key" params={{ key }} className={flagStyles.flagLink}>
              <bdi>{key}</bdi>
            </Link>
          </li>
        ))}
        {uses.holdouts.map((key) => (
          <li key={key}>
            <Link to="/holdouts">
              <bdi>{key}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      <div>
        <button
          type="button"
          className={`${quietStyles.quiet} ${quietStyles.danger}`}
          disabled={isUsed}
          onClick={() => setLeaving(true)}
        >
          {texts.delete}
        </button>
        {isUsed && <p className="note">{texts.deleteHint}</p>}
      </div>
      <ReviewDialog
        open={isLeaving}
        environment={env}
        base={base}
        document={without(base.body, segment.key)}
        title={texts.delete}
        onClose={() => setLeaving(false)}
        onSaved={(version) => {
          draft.discard();
          toasts.say(texts.saved(String(version)));
          void navigate({ to: "/flags/segments" });
        }}
      />
    </section>
  );
}
