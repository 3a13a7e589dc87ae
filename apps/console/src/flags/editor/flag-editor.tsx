import { Button } from "@musette/react/ui";
import { useState } from "react";
import type { Tagged } from "../../api/client";
import { FaultsContext } from "../../configuration/conditions/faults-context";
import type { Flag, FlagsDocument } from "../../configuration/document/document";
import { ReviewDialog } from "../../configuration/review/review-dialog";
import { useSaved } from "../../configuration/save/use-saved";
import { Preview, Verdict } from "../preview/preview";
import previewStyles from "../preview/preview.module.css";
import { usePreviewState } from "../preview/use-preview-state";
import { useFlagsTexts } from "../texts/texts";
import type { useFlagDraft } from "../use-flag-draft";
import { BESIDE, useMedia } from "../use-media";
import { Belongings } from "./belongings";
import { Details } from "./details";
import editorStyles from "./editor.module.css";
import { Overrides } from "./overrides";
import { Prerequisites } from "./prerequisites";
import { Rules } from "./rules";
import { Variations } from "./variations";

interface FlagEditorProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  readonly flag: Flag;
  readonly draft: ReturnType<typeof useFlagDraft>;
}

export function FlagEditor({ env, base, flag, draft }: FlagEditorProps) {
  const { preview: words } = useFlagsTexts();
  const isWide = useMedia(BESIDE);
  const { document, change } = draft;
  const state = usePreviewState(env, document, flag.key);
  const { result, faults } = state.preview;
  const decided = result?.explanation.from.startsWith("rule:")
    ? result.explanation.from.slice("rule:".length)
    : undefined;
  const parts = { flag, document, change };
  const preview = { flag, document, state };
  return (
    <FaultsContext value={faults}>
      <div className={editorStyles.editor}>
        <div className={editorStyles.editorMain}>
          <Notices env={env} draft={draft} />
          <Rules {...parts} decided={decided} />
          <Variations flag={flag} change={change} />
          <Details {...parts} />
          <Prerequisites {...parts} />
          <Overrides {...parts} />
          <Belongings flag={flag} document={document} />
        </div>
        {isWide && (
          <aside className={`${editorStyles.editorSide} card`} aria-label={words.title}>
            <Preview {...preview} />
          </aside>
        )}
      </div>
      <div className="editor-dock">
        {!isWide && (
          <details className={previewStyles.previewSheet}>
            <summary>
              <span className="mu-hidden">{words.title}: </span>
              <Verdict {...preview} />
            </summary>
            <Preview {...preview} isSheet />
          </details>
        )}
        {draft.isChanged && <SaveBar env={env} base={base} flag={flag} draft={draft} />}
      </div>
    </FaultsContext>
  );
}

function Notices({ env, draft }: Pick<FlagEditorProps, "env" | "draft">) {
  const { editor: words } = useFlagsTexts();
  if (draft.isOvertaken) {
    return (
      <p role="status" className="banner">
        {words.overtaken}
      </p>
    );
  }
  if (draft.wasRestored) {
    return (
      <p role="status" className="banner">
        {words.restored}
      </p>
    );
  }
  return draft.isNew ? (
    <p role="status" className="banner">
      {words.isNew(env)}
    </p>
  ) : null;
}

function SaveBar({ env, base, flag, draft }: FlagEditorProps) {
  const { editor: words } = useFlagsTexts();
  const [isOpen, setOpen] = useState(false);
  const say = useSaved(env, words.saved);
  const onSaved = (version: number) => {
    setOpen(false);
    draft.discard();
    say(version);
  };
  return (
    <section className="save-bar" aria-label={words.unsaved}>
      <span>{draft.isNew ? words.newUnsaved : words.unsaved}</span>
      <Button kind="secondary" onClick={draft.discard}>
        {words.discard}
      </Button>
      <Button onClick={() => setOpen(true)}>{words.review}</Button>
      <ReviewDialog
        open={isOpen}
        environment={env}
        base={base}
        ancestor={draft.ancestor()}
        document={draft.document}
        title={words.reviewTitle(flag.key)}
        onClose={() => setOpen(false)}
        onSaved={onSaved}
      />
    </section>
  );
}
