import { useState } from "react";
import { type Approvals, approvalRequired } from "../api/approval-required";
import { useMay } from "../api/use-may";
import { type Flag, withFlag } from "../configuration/document/document";
import { useFlagsDocument, useSwitchFlag } from "../configuration/document/flags-document";
import { useEnvironment } from "../configuration/document/use-environment";
import { ReviewDialog } from "../configuration/review/review-dialog";
import { useLanguage } from "../language/language-context";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import { Field } from "../ui/field";
import styles from "./flags.module.css";
import { useFlagsTexts } from "./texts/texts";

/** A switch that needs approvals. */
interface RefusedSwitch {
  readonly key: string;
  readonly on: boolean;
  readonly comment: string;
  readonly approvals: Approvals;
}

/**
 * Asks once, then switches at once, independently of other edits, with an undo. If it needs
 * approvals, it can be proposed.
 */
export function useKillSwitch(env: string) {
  const { kill } = useFlagsTexts();
  const [flag, setFlag] = useState<Flag>();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const switching = useSwitchFlag(env);

  const { texts } = useLanguage();
  const base = useFlagsDocument(env).data;
  const [refused, setRefused] = useState<RefusedSwitch>();

  const isSwitched = (key: string, on: boolean) =>
    toasts.say(on ? kill.isOn(key) : kill.isOff(key), () =>
      change(key, !on).catch(() => toasts.say(texts.failure.server)),
    );
  async function change(key: string, on: boolean, comment = ""): Promise<void> {
    try {
      await switching.mutateAsync({ key, on, comment });
    } catch (error) {
      const approvals = approvalRequired(error);
      if (!approvals) throw error;
      setRefused({ key, on, comment, approvals });
      return;
    }
    isSwitched(key, on);
  }
  const switched = base?.body.flags.find(({ key }) => key === refused?.key);
  const ask = (one: Flag) => {
    setFlag(one);
    setReason("");
    setOpen(true);
  };
  const confirm = flag && (
    <Confirm
      open={isOpen}
      onClose={() => setOpen(false)}
      title={flag.on ? kill.offTitle(flag.key) : kill.onTitle(flag.key)}
      action={flag.on ? kill.switchOff : kill.switchOn}
      isDangerous={flag.on}
      isUndoable
      onConfirm={() => change(flag.key, !flag.on, reason)}
    >
      <p>{flag.on ? kill.offText(flag.offVariation ?? kill.fallback) : kill.onText}</p>
      <p className="note">
        {kill.at} <bdi className="mono">{env}</bdi>
      </p>
      <Field
        label={kill.reason}
        hint={kill.reasonHint}
        required={false}
        maxLength={1000}
        autoComplete="off"
        value={reason}
        onChange={setReason}
      />
    </Confirm>
  );
  const dialog = (
    <>
      {confirm}
      {base && refused && switched && (
        <ReviewDialog
          open
          environment={env}
          base={base}
          document={withFlag(base.body, { ...switched, on: refused.on })}
          comment={refused.comment}
          approvals={refused.approvals}
          onClose={() => setRefused(undefined)}
          onSaved={() => {
            setRefused(undefined);
            isSwitched(refused.key, refused.on);
          }}
        />
      )}
    </>
  );
  return { ask, dialog };
}

export function Switch(props: {
  readonly flag: Flag;
  readonly onAsk: (flag: Flag) => void;
  readonly isLarge?: boolean;
}) {
  const { kill } = useFlagsTexts();
  const { flag, onAsk, isLarge } = props;
  const isAllowed = useMay()("flags", useEnvironment().env);
  return (
    <button
      type="button"
      role="switch"
      className={styles.flagSwitch}
      data-large={isLarge || undefined}
      aria-checked={flag.on}
      aria-label={kill.label(flag.key)}
      aria-keyshortcuts="k"
      disabled={!isAllowed}
      onClick={() => onAsk(flag)}
    >
      <span className={styles.track} aria-hidden="true" />
      <span>{flag.on ? kill.on : kill.off}</span>
    </button>
  );
}
