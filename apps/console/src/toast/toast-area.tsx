import { useEffect, useState, useSyncExternalStore } from "react";
import { useLanguage } from "../language/language-context";
import { Icon } from "../shell/icon";
import { type Toast, toasts } from "./toasts";

const PLAIN_MS = 6_000;
/** To be undone, a thing must first be read and understood. */
const UNDO_MS = 15_000;

/** What was just done, where a screen reader hears it and the keyboard reaches its undo. */
export function ToastArea() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.now);
  return (
    <div className="toasts" role="status">
      {shown.map((toast) => (
        <OneToast key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function OneToast({ toast }: { readonly toast: Toast }) {
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
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{words}</span>
      {undo && (
        <button
          type="button"
          className="quiet"
          onClick={() => {
            toasts.close(id);
            void undo();
          }}
        >
          {texts.undo}
        </button>
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
