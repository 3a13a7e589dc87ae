import type { Tagged } from "../../api/client";
import { FieldErrorsContext } from "../../configuration/conditions/field-errors-context";
import type { Flag, FlagsDocument } from "../../configuration/document/document";
import { SaveBar } from "../../configuration/drafts/save-bar";
import saveBarStyles from "../../configuration/drafts/save-bar.module.css";
import bannerStyles from "../../ui/banner.module.css";
import { SIDE_BY_SIDE, useMedia } from "../../ui/use-media";
import { Preview, Verdict } from "../preview/preview";
import previewStyles from "../preview/preview.module.css";
import { usePreviewState } from "../preview/use-preview-state";
import { useFlagsTexts } from "../texts/texts";
import type { useFlagDraft } from "../use-flag-draft";
import { Relations } from "./belongings";
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
  const { preview: previewTexts, editor } = useFlagsTexts();
  const isWide = useMedia(SIDE_BY_SIDE);
  const { document, change } = draft;
  const state = usePreviewState(env, document, flag.key);
  const { result, errors } = state.preview;
  const decided = result?.explanation.from.startsWith("rule:")
    ? result.explanation.from.slice("rule:".length)
    : undefined;
  const parts = { flag, document, change };
  const preview = { flag, document, state };
  return (
    <FieldErrorsContext value={errors}>
      <div className={editorStyles.editor}>
        <div className={editorStyles.editorMain}>
          <Notices env={env} draft={draft} />
          <Rules {...parts} decided={decided} />
          <Variations flag={flag} change={change} />
          <Details {...parts} />
          <Prerequisites {...parts} />
          <Overrides {...parts} />
          <Relations flag={flag} document={document} />
        </div>
        {isWide && (
          <aside className={`${editorStyles.editorSide} card`} aria-label={previewTexts.title}>
            <Preview {...preview} />
          </aside>
        )}
      </div>
      <div className={saveBarStyles.dock}>
        {!isWide && (
          <details className={previewStyles.previewSheet}>
            <summary>
              <span className="mu-hidden">{previewTexts.title}: </span>
              <Verdict {...preview} />
            </summary>
            <Preview {...preview} isSheet />
          </details>
        )}
        {draft.isChanged && (
          <SaveBar
            env={env}
            base={base}
            ancestor={draft.ancestor()}
            document={document}
            isNew={draft.isNew}
            title={editor.reviewTitle(flag.key)}
            saved={editor.saved}
            onDiscard={draft.discard}
          />
        )}
      </div>
    </FieldErrorsContext>
  );
}

function Notices({ env, draft }: Pick<FlagEditorProps, "env" | "draft">) {
  const { editor: editorTexts } = useFlagsTexts();
  if (draft.isOvertaken) {
    return (
      <p role="status" className={bannerStyles.banner}>
        {editorTexts.overtaken}
      </p>
    );
  }
  if (draft.wasRestored) {
    return (
      <p role="status" className={bannerStyles.banner}>
        {editorTexts.restored}
      </p>
    );
  }
  return draft.isNew ? (
    <p role="status" className={bannerStyles.banner}>
      {editorTexts.isNew(env)}
    </p>
  ) : null;
}
