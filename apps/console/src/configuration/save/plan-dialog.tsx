import { Modal } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, type Tagged } from "../../api/client";
import { timeZone } from "../../language/dates";
import { toasts } from "../../toast/toasts";
import { DialogForm } from "../../ui/dialog-form";
import { Field } from "../../ui/field";
import fieldStyles from "../../ui/fields.module.css";
import { InstantField } from "../../ui/instant-field";
import { type Flag, type FlagsDocument, withFlag } from "../document/document";
import { environmentKey } from "../document/flags-document";
import { useConfigurationTexts } from "../texts/texts";
import styles from "./plan-dialog.module.css";

interface PlanProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  /** Chosen in the dialog if it is absent. */
  readonly flag?: Flag;
  /** The document with the unsaved changes, if there are any. */
  readonly edited?: FlagsDocument | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Schedules a change, which then takes effect by itself. */
export function PlanDialog(props: PlanProps) {
  const texts = useConfigurationTexts();
  return (
    <Modal open={props.open} onClose={props.onClose} label={texts.planTitle}>
      {props.open && <Plan {...props} />}
    </Modal>
  );
}

type PlannedAction = "on" | "off" | "edited";

/** Returns the second full hour from now: a round time, at least one hour ahead. */
function defaultTime(): string {
  const hour = 3_600_000;
  return new Date(Math.ceil(Date.now() / hour + 1) * hour).toISOString();
}

function Plan({ env, base, flag, edited, onClose }: PlanProps) {
  const texts = useConfigurationTexts();
  const client = useQueryClient();
  const id = useId();
  const [key, setKey] = useState(flag?.key ?? "");
  const target = base.body.flags.find((flag) => flag.key === key.trim());
  const [chosen, setWhat] = useState<PlannedAction>();
  const what = chosen ?? (edited ? "edited" : target?.on ? "off" : "on");
  const [at, setAt] = useState(defaultTime);
  const [comment, setComment] = useState("");

  const planning = useMutation({
    mutationFn: (flag: Flag) =>
      api.post("/api/admin/v1/environments/{environment}/changes", {
        path: { environment: env },
        ifMatch: base.etag,
        body: {
          at,
          comment: comment.trim() || texts.planned[what === "edited" ? "edited" : what](flag.key),
          document:
            what === "edited" && edited
              ? edited
              : withFlag(base.body, { ...flag, on: what === "on" }),
        },
      }),
    onSuccess: ({ approvals_needed: needed = 0 }) => {
      toasts.say(needed > 0 ? texts.isPlannedIfApproved : texts.isPlanned);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: environmentKey(env) }),
  });
  return (
    <DialogForm
      title={texts.planTitle}
      action={texts.planIt}
      isBusy={planning.isPending}
      isDisabled={!target || !at}
      error={planning.error}
      onSubmit={() => target && planning.mutate(target)}
      onCancel={onClose}
    >
      <FlagChoice flag={flag} flags={base.body.flags} value={key} onChange={setKey} />
      <fieldset className={styles.planWhat}>
        <legend>{texts.planWhat}</legend>
        {([...(edited ? ["edited"] : []), "on", "off"] as readonly PlannedAction[]).map(
          (action) => (
            <label key={action}>
              <input
                type="radio"
                name={id}
                checked={what === action}
                onChange={() => setWhat(action)}
              />
              {texts.whats[action]}
            </label>
          ),
        )}
      </fieldset>
      <div className="field">
        <span className={fieldStyles.label}>{texts.planAt}</span>
        <InstantField label={texts.planAt} value={at} onChange={setAt} />
        <p className="note">{texts.inZone(timeZone())}</p>
      </div>
      <Field
        label={texts.comment}
        required={false}
        maxLength={1000}
        value={comment}
        onChange={setComment}
      />
      <p className="note">{texts.planHint}</p>
    </DialogForm>
  );
}

const OFFERED = 50;

function FlagChoice(props: {
  readonly flag: Flag | undefined;
  readonly flags: readonly Flag[];
  readonly value: string;
  readonly onChange: (key: string) => void;
}) {
  const texts = useConfigurationTexts();
  const fitting = props.flags.filter(({ key }) => key.includes(props.value.trim()));
  if (props.flag) {
    return (
      <p>
        <bdi className="mono">{props.flag.key}</bdi>
      </p>
    );
  }
  return (
    <Field
      label={texts.flag}
      options={fitting.slice(0, OFFERED).map(({ key }) => key)}
      required={false}
      autoComplete="off"
      spellCheck={false}
      value={props.value}
      onChange={props.onChange}
    />
  );
}
