import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Tagged } from "../../api/client";
import { useMay } from "../../api/use-may";
import { type Flag, type FlagsDocument, withFlag } from "../../configuration/document/document";
import { useEnvironment } from "../../configuration/document/use-environment";
import { CopyDialog } from "../../configuration/review/copy-dialog";
import { ReviewDialog } from "../../configuration/review/review-dialog";
import { PlanDialog } from "../../configuration/save/plan-dialog";
import { useShortcut } from "../../keyboard/use-shortcut";
import { useLanguage } from "../../language/language-context";
import { toasts } from "../../toast/toasts";
import { ForRoles } from "../../ui/for-roles";
import quietStyles from "../../ui/quiet-button.module.css";
import { deleteFlag, referencesTo } from "../edit-flag";
import flagsStyles from "../flags.module.css";
import { Switch, useKillSwitch } from "../kill-switch";
import { NewFlagDialog } from "../new-flag";
import { useFlagsTexts } from "../texts/texts";
import type { useFlagDraft } from "../use-flag-draft";
import editorStyles from "./editor.module.css";
import { RequiredFlagDialog } from "./needed-dialog";

interface FlagHeadProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  readonly flag: Flag;
  readonly draft: ReturnType<typeof useFlagDraft>;
}

type OpenDialog = "copy" | "duplicate" | "archive" | "delete" | "needed" | "plan";

/** Actions that apply at once, apart from the edits: above all the switch. */
export function FlagHead({ env, base, flag, draft }: FlagHeadProps) {
  const flagsTexts = useFlagsTexts();
  const { texts } = useLanguage();
  const { names } = useEnvironment();
  const kill = useKillSwitch(env);
  const [dialog, setDialog] = useState<OpenDialog>();
  const { saved } = draft;
  const mayEdit = useMay()("flags", env);
  const canSwitch = saved !== undefined && !saved.archived;
  useShortcut({
    key: "k",
    label: flagsTexts.killKey,
    run: () => canSwitch && mayEdit && kill.ask(saved),
  });
  const needed = referencesTo(base.body, flag).flags;
  return (
    <div className={`card ${editorStyles.flagHead}`}>
      <div className={editorStyles.flagState}>
        {canSwitch && <Switch flag={saved} onAsk={kill.ask} isLarge />}
        {!saved && <span className="chip">{flagsTexts.isNew}</span>}
        {saved?.archived && <span className="chip">{flagsTexts.states.archived}</span>}
        {canSwitch && <span className={`note ${flagsStyles.keyHint}`}>{flagsTexts.killHere}</span>}
      </div>
      {saved && (
        <div className={editorStyles.flagActions}>
          <Link
            to="/flags/history"
            search={{ env, flag: saved.key }}
            className={editorStyles.toHistory}
          >
            {texts.tabs.history}
          </Link>
          <ForRoles task="flags" scope={env} isQuiet>
            <button type="button" className={quietStyles.quiet} onClick={() => setDialog("plan")}>
              {flagsTexts.plan}
            </button>
            {names.length > 1 && (
              <button type="button" className={quietStyles.quiet} onClick={() => setDialog("copy")}>
                {flagsTexts.copy}
              </button>
            )}
            <button
              type="button"
              className={quietStyles.quiet}
              onClick={() => setDialog("duplicate")}
            >
              {flagsTexts.duplicate}
            </button>
            <button
              type="button"
              className={quietStyles.quiet}
              onClick={() => setDialog("archive")}
            >
              {saved.archived ? flagsTexts.unarchive : flagsTexts.archive}
            </button>
            <button
              type="button"
              className={`${quietStyles.quiet} ${quietStyles.danger}`}
              onClick={() => setDialog(needed.length > 0 ? "needed" : "delete")}
            >
              {flagsTexts.delete}
            </button>
          </ForRoles>
        </div>
      )}
      {kill.dialog}
      {saved && (
        <HeadDialogs
          {...{ env, base, saved, draft, dialog, needed }}
          close={() => setDialog(undefined)}
        />
      )}
    </div>
  );
}

function HeadDialogs(props: {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  readonly saved: Flag;
  readonly draft: ReturnType<typeof useFlagDraft>;
  readonly dialog: OpenDialog | undefined;
  readonly needed: readonly string[];
  readonly close: () => void;
}) {
  const { env, base, saved, draft, dialog, needed, close } = props;
  const texts = useFlagsTexts();
  const navigate = useNavigate();
  return (
    <>
      <NewFlagDialog
        env={env}
        document={base.body}
        of={saved}
        open={dialog === "duplicate"}
        onClose={close}
      />
      <RequiredFlagDialog flag={saved.key} by={needed} open={dialog === "needed"} onClose={close} />
      <CopyDialog
        env={env}
        from={base.body}
        flag={saved}
        open={dialog === "copy"}
        onClose={close}
      />
      <PlanDialog
        env={env}
        base={base}
        flag={saved}
        edited={draft.isChanged ? draft.document : undefined}
        open={dialog === "plan"}
        onClose={close}
      />
      <ReviewDialog
        open={dialog === "archive"}
        environment={env}
        base={base}
        document={withFlag(base.body, { ...saved, archived: !saved.archived })}
        title={saved.archived ? texts.unarchiveTitle(saved.key) : texts.archiveTitle(saved.key)}
        onClose={close}
        onSaved={() => {
          close();
          toasts.say(saved.archived ? texts.unarchived(saved.key) : texts.archived(saved.key));
        }}
      />
      <ReviewDialog
        open={dialog === "delete"}
        environment={env}
        base={base}
        document={deleteFlag(base.body, saved)}
        title={texts.deleteTitle(saved.key)}
        onClose={close}
        onSaved={() => {
          close();
          draft.discard();
          toasts.say(texts.deleted(saved.key));
          void navigate({ to: "/flags" });
        }}
      />
    </>
  );
}
