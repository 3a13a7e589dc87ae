import type { ButtonHTMLAttributes } from "react";
import { Spinner } from "./spinner";

export type ButtonKind = "primary" | "secondary" | "quiet" | "danger";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  /** Shows that it is at work and takes no click meanwhile; its label stays for screen readers. */
  readonly loading?: boolean;
}

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
