import { useEffect, useState, useSyncExternalStore } from "react";
import { useShortcut } from "../keyboard/use-shortcut";
import { useLanguage } from "../language/language-context";
import { Icon } from "../ui/icon";
import styles from "./toast.module.css";
import { type Toast, toasts } from "./toasts";

const PLAIN_MS = 6_000;
/** To be undone, a thing must first be read and understood. */
const UNDO_MS = 15_000;
const UNDO_KEY = "z";

/** What was just done, where a screen reader hears it and the keyboard reaches its undo. */
export function ToastArea() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.now);
  return (
    <div className="toasts" role="status">
      {shown.map((toast) => (
        <OneToast key={toast.id} toast={toast} isLatest={toast === shown.findLast(canUndo)} />
      ))}
    </div>
  );
}

const canUndo = ({ undo }: Toast) => undo !== undefined;

interface OneToastProps {
  readonly toast: Toast;
  /** Of those that can be undone: the key is for it. */
  readonly isLatest: boolean;
}

function OneToast({ toast, isLatest }: OneToastProps) {
  const { texts } = useLanguage();
  const [isHeld, setHeld] = useState(false);
  const { id, words, undo } = toast;
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
      <span>{words}</span>
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
        className="icon-button"
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
        className="quiet"
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

/** From anywhere on the page: what was just done is far from its undo for who only has keys. */
function UndoKey({ run }: Pick<UndoProps, "run">) {
  const { texts } = useLanguage();
  useShortcut({ key: UNDO_KEY, words: texts.undo, run });
  return null;
}
