import type { ButtonHTMLAttributes } from "react";
import { Spinner } from "./spinner";

/** The style of a button: the main action, another action, an action without background, a destructive action. */
export type ButtonKind = "primary" | "secondary" | "quiet" | "danger";

/** Props of `Button`, in addition to those of the HTML button. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The style. Default `primary`. */
  readonly kind?: ButtonKind;
  /** Shows a spinner and disables clicks. Screen readers still read the label. */
  readonly loading?: boolean;
}

/**
 * A button. While `loading` it is disabled and marked as busy.
 *
 * @example
 * <Button kind="danger" onClick={() => remove()}>Delete</Button>
 */
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
