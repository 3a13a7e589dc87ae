import type { ButtonHTMLAttributes } from "react";
import { Spinner } from "./spinner";

/** How a button looks: the main action, another one, one without ground, a destructive one. */
export type ButtonKind = "primary" | "secondary" | "quiet" | "danger";

/** Props of `Button`, beside those of the HTML button. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  /** Shows that it is at work and takes no click meanwhile; its label stays for screen readers. */
  readonly loading?: boolean;
}

/** A button. While `loading` it cannot be clicked and says that it is busy. */
export function Button({
  kind = "primary",
  loading = false,
  disabled,
  className = "",
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`mu-button ${className}`}
      data-kind={kind}
      data-loading={loading || undefined}
      aria-busy={loading || undefined}
      disabled={disabled || loading}
    >
      {loading && <Spinner />}
      <span className="mu-button-label">{children}</span>
    </button>
  );
}
