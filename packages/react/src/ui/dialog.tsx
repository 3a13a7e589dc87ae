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

/** Props that drawer and modal share. */
export interface DialogProps {
  readonly open: boolean;
  /** Escape, the phone's back gesture or a click beside the panel: the owner then sets `open`. */
  readonly onClose: () => void;
  readonly label: string;
  readonly children: ReactNode;
}

interface SurfaceProps extends DialogProps {
  readonly className: string;
  /** How long it stays on the page after it was told to close, for its way out. */
  readonly leaveAfterMs: number;
  readonly style?: CSSProperties;
  readonly "data-side"?: string;
}

/** What drawer and modal share: a native dialog that comes at once and leaves with a delay. */
export function DialogSurface({ open, leaveAfterMs, ...rest }: SurfaceProps) {
  const [present, setPresent] = useState(open);
  if (open && !present) setPresent(true);

  useEffect(() => {
    if (open) return;
    const timer = setTimeout(() => setPresent(false), leaveAfterMs);
    return () => clearTimeout(timer);
  }, [open, leaveAfterMs]);

  return present ? <PresentDialog {...rest} open={open} /> : null;
}

function PresentDialog({
  open,
  onClose,
  label,
  children,
  className,
  ...rest
}: Omit<SurfaceProps, "leaveAfterMs">) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedInside = useRef(false);
  const [entered, setEntered] = useState(false);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closing before it leaves the document is what gives the focus back to the opener.
    return () => element?.close();
  }, []);

  // One frame in the starting position, so that there is a way to travel.
  useEffect(() => {
    const frame = requestAnimationFrame(() => setEntered(true));
    return () => cancelAnimationFrame(frame);
  }, []);

  const outside = (event: MouseEvent) => event.target === dialog.current;
  const state = open ? (entered ? "open" : "opening") : "closing";
  return (
    <dialog
      {...rest}
      ref={dialog}
      className={className}
      data-state={state}
      aria-label={label}
      onCancel={(event) => {
        // Not by itself: it has to be told, and then takes its time.
        event.preventDefault();
        onClose();
      }}
      // Chromium closes at the second Escape without asking.
      onClose={() => open && !dialog.current?.open && onClose()}
      onKeyDown={keepTabInside}
      onPointerDown={(event) => {
        pressedInside.current = !outside(event);
      }}
      onClick={(event) => {
        // A text selection that ends over the overlay is no click on it.
        if (outside(event) && !pressedInside.current) onClose();
        pressedInside.current = false;
      }}
    >
      <div className="mu-dialog-panel">{children}</div>
    </dialog>
  );
}
