import { type ClipboardEvent, type KeyboardEvent, useState } from "react";
import type { Json } from "../document/document";
import styles from "./conditions.module.css";
import { type OperandKind, readToken } from "./operators";
import { useConditionsTexts } from "./texts/texts";

/** A field for several values, separated by Enter or a comma, or pasted one per line. */
export function TokensField(props: {
  readonly label: string;
  readonly kind: OperandKind;
  readonly values: readonly Json[];
  readonly onChange: (values: readonly Json[]) => void;
  readonly placeholder?: string;
  readonly isInvalid?: boolean;
}) {
  const { label, kind, values, onChange, placeholder, isInvalid } = props;
  const conditionsTexts = useConditionsTexts();
  const [typed, setTyped] = useState("");

  function add(texts: readonly string[]): boolean {
    const read = texts.filter((text) => text.trim()).map((text) => readToken(text, kind));
    if (read.length === 0 || read.includes(undefined)) return false;
    onChange([...new Set([...values, ...read.filter((value) => value !== undefined)])]);
    return true;
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter" || event.key === ",") {
      if (typed.trim() || event.key === ",") event.preventDefault();
      if (add([typed])) setTyped("");
    } else if (event.key === "Backspace" && typed === "") {
      onChange(values.slice(0, -1));
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const texts = event.clipboardData.getData("text").split(/[\n,;]/);
    if (texts.length > 1 && add(texts)) event.preventDefault();
  };

  return (
    <div className={styles.tokens} data-invalid={isInvalid || undefined}>
      {values.map((value) => (
        <span key={String(value)} className={styles.token}>
          <bdi>{String(value)}</bdi>
          <button
            type="button"
            aria-label={conditionsTexts.remove(String(value))}
            onClick={() => onChange(values.filter((token) => token !== value))}
          >
            ×
          </button>
        </span>
      ))}
      <input
        aria-label={label}
        dir="auto"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        inputMode={kind === "number" ? "decimal" : undefined}
        placeholder={values.length === 0 ? (placeholder ?? conditionsTexts.tokensHint) : undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => add([typed]) && setTyped("")}
      />
    </div>
  );
}
