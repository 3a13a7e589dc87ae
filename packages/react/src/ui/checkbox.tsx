import { type InputHTMLAttributes, useLayoutEffect, useRef } from "react";

/** Props of `Checkbox`, beside those of the HTML button. */
export interface CheckboxProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, "checked" | "onChange" | "type"> {
  readonly checked: boolean | "mixed";
  readonly onToggle: () => void;
}

/** A checkbox of three states (WAI-ARIA `checkbox` with `aria-checked`). */
export function Checkbox({ checked, onToggle, className = "", ...rest }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  const mixed = checked === "mixed";

  // No attribute sets it, and every click clears it: so after each render.
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
      // The native state says it as well, but not to every screen reader.
      aria-checked={mixed ? "mixed" : undefined}
      onChange={onToggle}
    />
  );
}
