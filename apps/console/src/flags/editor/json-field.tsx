import { useId, useState } from "react";
import type { Json } from "../../configuration/document/document";
import { jsonFault } from "../../configuration/document/json-fault";
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
  const fault = typed === undefined ? undefined : jsonFault(typed);
  const change = (next: string) => {
    setTyped(next);
    if (!jsonFault(next)) props.onChange(JSON.parse(next));
  };
  return (
    <div className={styles.jsonField}>
      <textarea
        dir="ltr"
        className="mono"
        rows={Math.min(12, text.split("\n").length + 1)}
        spellCheck={false}
        aria-label={editorTexts.variationValue}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? id : undefined}
        value={text}
        onChange={({ target }) => change(target.value)}
        onBlur={() => !fault && setTyped(undefined)}
      />
      {fault && (
        <p id={id} className={fieldStyles.fault} role="alert">
          {editorTexts.jsonFault(String(fault.line), String(fault.column))}
          <small>
            <bdi>{fault.detail}</bdi>
          </small>
        </p>
      )}
    </div>
  );
}
