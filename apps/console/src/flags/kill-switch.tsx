import { useState } from "react";
import { useMay } from "../api/use-may";
import type { Flag } from "../configuration/document/document";
import { useSwitchFlag } from "../configuration/document/flags-document";
import { useEnvironment } from "../configuration/document/use-environment";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import { Field } from "../ui/field";
import styles from "./flags.module.css";
import { useFlagsTexts } from "./texts/texts";

/** Asks once, then switches at once, whatever else is being edited; with a way back. */
export function useKillSwitch(env: string) {
  const { kill } = useFlagsTexts();
  const [flag, setFlag] = useState<Flag>();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const switching = useSwitchFlag(env);

  async function change(key: string, on: boolean, comment = ""): Promise<void> {
    await switching.mutateAsync({ key, on, comment });
    toasts.say(on ? kill.isOn(key) : kill.isOff(key), () => change(key, !on));
  }
  const ask = (one: Flag) => {
    setFlag(one);
    setReason("");
    setOpen(true);
  };
  const dialog = flag && (
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
