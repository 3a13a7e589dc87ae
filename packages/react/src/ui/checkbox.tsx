import { type InputHTMLAttributes, useLayoutEffect, useRef } from "react";

/** Props of `Checkbox`, in addition to those of the HTML input. */
export interface CheckboxProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, "checked" | "onChange" | "type"> {
  /** The state. `mixed`: partly checked. */
  readonly checked: boolean | "mixed";
  /** Called on a click. The owner then sets `checked`. */
  readonly onToggle: () => void;
}

/** A checkbox with three states (WAI-ARIA `checkbox` with `aria-checked`). */
export function Checkbox({ checked, onToggle, className = "", ...rest }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  const mixed = checked === "mixed";

  // Runs after each render, because `indeterminate` has no attribute and every click resets it.
  useLayoutEffect(() => {
    if (input.current) input.current.indeterminate = mixed;
  });

  return (
    <input
      {...rest}
      ref={input}
      type="checkbox"
      className={`mu-checkbox ${className}`}
      checked={checked === true}
      // Some screen readers do not announce the native state.
      aria-checked={mixed ? "mixed" : undefined}
      onChange={onToggle}
    />
  );
}
