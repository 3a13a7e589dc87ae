import {
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { keepTabInside } from "./focus-trap";

/** The common props of `Drawer` and `Modal`. */
export interface DialogProps {
  /** Whether the dialog is open. */
  readonly open: boolean;
  /** Called on Escape, the phone's back gesture or a click outside of the panel. The owner then sets `open`. */
  readonly onClose: () => void;
  /** The accessible name. */
  readonly label: string;
  readonly children: ReactNode;
}

interface SurfaceProps extends DialogProps {
  readonly className: string;
  /** Time after which a closed dialog is removed from the page, for its closing animation. */
  readonly removeAfterMs: number;
  readonly style?: CSSProperties;
  readonly "data-side"?: string;
}

/** The base of `Drawer` and `Modal`: a native dialog that appears at once and is removed with a delay. */
export function DialogSurface({ open, removeAfterMs, ...rest }: SurfaceProps) {
  const [present, setPresent] = useState(open);
  if (open && !present) setPresent(true);

  useEffect(() => {
    if (open) return;
    const timer = setTimeout(() => setPresent(false), removeAfterMs);
    return () => clearTimeout(timer);
  }, [open, removeAfterMs]);

  return present ? <PresentDialog {...rest} open={open} /> : null;
}

function PresentDialog({
  open,
  onClose,
  label,
  children,
  className,
  ...rest
}: Omit<SurfaceProps, "removeAfterMs">) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedInside = useRef(false);
  const [entered, setEntered] = useState(false);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closes before it is removed from the document, because that returns the focus to the opener.
    return () => element?.close();
  }, []);

  // Renders one frame in the start position, so that the transition runs.
  useEffect(() => {
    const frame = requestAnimationFrame(() => setEntered(true));
    return () => cancelAnimationFrame(frame);
  }, []);

  const isOutside = (event: MouseEvent) => event.target === dialog.current;
  const state = open ? (entered ? "open" : "opening") : "closing";
  return (
    <dialog
      {...rest}
      ref={dialog}
      className={className}
      data-state={state}
      aria-label={label}
      onCancel={(event) => {
        // Prevents the immediate close, because the owner closes the dialog with an animation.
        event.preventDefault();
        onClose();
      }}
      // Chromium closes the dialog at the second Escape without a cancelable event.
      onClose={() => open && !dialog.current?.open && onClose()}
      onKeyDown={keepTabInside}
      onPointerDown={(event) => {
        pressedInside.current = !isOutside(event);
      }}
      onClick={(event) => {
        // A text selection that ends over the overlay is not a click on it.
        if (isOutside(event) && !pressedInside.current) onClose();
        pressedInside.current = false;
      }}
    >
      <div className="mu-dialog-panel">{children}</div>
    </dialog>
  );
}
