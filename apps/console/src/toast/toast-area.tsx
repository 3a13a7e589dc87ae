import { useEffect, useState, useSyncExternalStore } from "react";
import { useShortcut } from "../keyboard/use-shortcut";
import { useLanguage } from "../language/language-context";
import { Icon } from "../ui/icon";
import iconButtonStyles from "../ui/icon-button.module.css";
import quietStyles from "../ui/quiet-button.module.css";
import styles from "./toast.module.css";
import { type Toast, toasts } from "./toasts";

const PLAIN_MS = 6_000;
/** Longer for a toast with an undo, which must be read and understood first. */
const UNDO_MS = 15_000;
const UNDO_KEY = "z";

/** The live region of toasts, with their undo buttons. */
export function ToastArea() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.now);
  return (
    <div className={styles.toasts} data-part="toasts" role="status">
      {shown.map((toast) => (
        <ToastItem key={toast.id} toast={toast} isLatest={toast === shown.findLast(canUndo)} />
      ))}
    </div>
  );
}

const canUndo = ({ undo }: Toast) => undo !== undefined;

interface ToastItemProps {
  readonly toast: Toast;
  /** The newest toast with an undo, which the shortcut applies to. */
  readonly isLatest: boolean;
}

function ToastItem({ toast, isLatest }: ToastItemProps) {
  const { texts } = useLanguage();
  const [isHeld, setHeld] = useState(false);
  const { id, message, undo } = toast;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => toasts.close(id), undo ? UNDO_MS : PLAIN_MS);
    return () => clearTimeout(timer);
  }, [id, undo, isHeld]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: stays while it is looked at; nothing is done by it
    <div
      className={styles.toast}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{message}</span>
      {undo && (
        <Undo
          isLatest={isLatest}
          run={() => {
            toasts.close(id);
            void undo();
          }}
        />
      )}
      <button
        type="button"
        className={iconButtonStyles.iconButton}
        aria-label={texts.close}
        onClick={() => toasts.close(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

interface UndoProps {
  readonly isLatest: boolean;
  readonly run: () => void;
}

function Undo({ isLatest, run }: UndoProps) {
  const { texts } = useLanguage();
  return (
    <>
      <button
        type="button"
        className={quietStyles.quiet}
        aria-keyshortcuts={isLatest ? UNDO_KEY : undefined}
        onClick={run}
      >
        {texts.undo}
        {isLatest && (
          <span aria-hidden="true" className={styles.toastKey}>
            {UNDO_KEY.toUpperCase()}
          </span>
        )}
      </button>
      {isLatest && <UndoKey run={run} />}
    </>
  );
}

/** The shortcut for undo: the toast is far away in the tab order. */
function UndoKey({ run }: Pick<UndoProps, "run">) {
  const { texts } = useLanguage();
  useShortcut({ key: UNDO_KEY, label: texts.undo, run });
  return null;
}
