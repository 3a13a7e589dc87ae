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

export interface TroubleProps {
  readonly children: ReactNode;
  readonly retry?: string | false;
  readonly onRetry: () => void;
  /** Another way on. */
  readonly more?: ReactNode;
  /** For what follows a press of a button that is gone or disabled since, and has lost the focus. */
  readonly takeFocus?: boolean;
}

/** Says what went wrong and what can be done, in one place that is read out. */
export function Trouble({ children, retry, onRetry, more, takeFocus = false }: TroubleProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takeFocus && document.activeElement === document.body) box.current?.focus();
  }, [takeFocus]);
  return (
    <div className="mu-trouble" role="alert" ref={box} tabIndex={-1}>
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

/** Rows as high as those to come, so that nothing jumps when they do. */
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
