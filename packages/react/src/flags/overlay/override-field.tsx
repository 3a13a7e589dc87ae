import type { FlagOverrides, FlagSnapshot, FlagValue } from "@musette/client/flags";
import { useId, useState } from "react";
import type { OverlayTexts } from "./texts";

interface OverrideFieldProps {
  readonly flag: FlagSnapshot["flags"][number];
  readonly overrides: FlagOverrides;
  readonly texts: OverlayTexts;
}

/** The input for an override of a flag on this device. */
export function OverrideField({ flag, overrides, texts }: OverrideFieldProps) {
  const { key, overridden } = flag;
  const id = useId();
  const value = flag.result.variation;
  const label = <label htmlFor={id}>{texts.here}</label>;
  if (typeof value === "boolean") {
    const choose = (chosen: string) =>
      chosen ? overrides.set(key, chosen === "true") : overrides.clear(key);
    return (
      <div className="override">
        {label}
        <select
          id={id}
          value={overridden ? String(value) : ""}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">{texts.asDecided}</option>
          <option>true</option>
          <option>false</option>
        </select>
      </div>
    );
  }
  return (
    <div className="override">
      {label}
      <TypedOverride
        id={id}
        value={value}
        texts={texts}
        onSet={(to) => overrides.set(key, to)}
        onReset={overridden ? () => overrides.clear(key) : undefined}
      />
    </div>
  );
}

function TypedOverride(props: {
  readonly id: string;
  readonly value: FlagValue;
  readonly texts: OverlayTexts;
  readonly onSet: (value: FlagValue) => void;
  readonly onReset: (() => void) | undefined;
}) {
  const { id, value, texts, onSet, onReset } = props;
  // Texts are typed without quotes, all other values as JSON.
  const isText = typeof value === "string";
  const [input, setInput] = useState(isText ? value : JSON.stringify(value));
  const [failed, setFailed] = useState(false);

  function set(): void {
    try {
      onSet(isText ? input : JSON.parse(input));
      setFailed(false);
    } catch {
      setFailed(true);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        set();
      }}
    >
      <input
        id={id}
        dir="auto"
        value={input}
        aria-invalid={failed || undefined}
        aria-describedby={failed ? `${id}-error` : undefined}
        onChange={(event) => setInput(event.target.value)}
      />
      <button type="submit">{texts.apply}</button>
      {onReset && (
        <button type="button" onClick={onReset}>
          {texts.reset}
        </button>
      )}
      {failed && (
        <p id={`${id}-error`} role="alert">
          {texts.noJson}
        </p>
      )}
    </form>
  );
}
