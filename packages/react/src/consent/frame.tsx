import { type ReactNode, useEffect, useRef } from "react";
import type { ConsentTextsAtHand } from "../texts";
import { Button } from "../ui";
import { IconButton } from "./icon-button";

export interface HeaderProps {
  readonly onBack?: (() => void) | undefined;
  readonly onClose?: (() => void) | undefined;
  readonly texts: ConsentTextsAtHand;
}

export function Header({ onBack, onClose, texts }: HeaderProps) {
  return (
    (onBack || onClose) && (
      <header className="mu-consent-header">
        {onBack && <IconButton icon="back" label={texts.back} onClick={onBack} />}
        {onClose && <IconButton icon="close" label={texts.close} onClick={onClose} />}
      </header>
    )
  );
}

export interface ErrorNoticeProps {
  readonly children: ReactNode;
  readonly retry?: string | false;
  readonly onRetry: () => void;
  /** Another action. */
  readonly more?: ReactNode;
  /** Takes the focus if the pressed button has lost it because it was removed or disabled. */
  readonly takeFocus?: boolean;
}

/** An alert with the error and an action for the user. */
export function ErrorNotice({
  children,
  retry,
  onRetry,
  more,
  takeFocus = false,
}: ErrorNoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takeFocus && document.activeElement === document.body) box.current?.focus();
  }, [takeFocus]);
  return (
    <div className="mu-error" role="alert" ref={box} tabIndex={-1}>
      <p>{children}</p>
      {retry && (
        <Button kind="secondary" onClick={onRetry}>
          {retry}
        </Button>
      )}
      {more}
    </div>
  );
}

/** Placeholder rows with the height of real rows, to avoid a layout shift. */
export function Skeleton() {
  return (
    <div className="mu-skeleton" aria-hidden="true">
      <span />
      <span />
      <span />
      <span />
    </div>
  );
}
