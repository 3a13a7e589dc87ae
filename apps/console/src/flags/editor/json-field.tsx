import { useId, useState } from "react";
import type { Json } from "../../configuration/document/document";
import { jsonError } from "../../configuration/document/json-error";
import fieldStyles from "../../ui/fields.module.css";
import { useFlagsTexts } from "../texts/texts";
import styles from "./editor.module.css";

/** A text field for a JSON value. Only valid JSON is passed on. */
export function JsonField(props: {
  readonly value: Json;
  readonly onChange: (value: Json) => void;
}) {
  const { editor: editorTexts } = useFlagsTexts();
  const [typed, setTyped] = useState<string>();
  const id = useId();
  const text = typed ?? JSON.stringify(props.value, null, 2);
  const error = typed === undefined ? undefined : jsonError(typed);
  const change = (next: string) => {
    setTyped(next);
    if (!jsonError(next)) props.onChange(JSON.parse(next));
  };
  return (
    <div className={styles.jsonField}>
      <textarea
        dir="ltr"
        className="mono"
        rows={Math.min(12, text.split("\n").length + 1)}
        spellCheck={false}
        aria-label={editorTexts.variationValue}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        value={text}
        onChange={({ target }) => change(target.value)}
        onBlur={() => !error && setTyped(undefined)}
      />
      {error && (
        <p id={id} className={fieldStyles.error} role="alert">
          {editorTexts.jsonError(String(error.line), String(error.column))}
          <small>
            <bdi>{error.detail}</bdi>
          </small>
        </p>
      )}
    </div>
  );
}
