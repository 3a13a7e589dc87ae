import { Button } from "@musette/react/ui";
import { type FormEvent, useState } from "react";
import { Field } from "../../ui/field";
import styles from "./person.module.css";
import { usePersonTexts } from "./texts/texts";

/** Disables spelling and completion: names and values of attributes are not natural language. */
const AS_TYPED = {
  required: false,
  autoComplete: "off",
  autoCapitalize: "none",
  spellCheck: false,
} as const;

type AttributeTexts = Readonly<Record<string, string>>;

interface AttributesProps {
  /** The attributes in the conditions of the existing flags. */
  readonly known: readonly string[];
  readonly given: AttributeTexts;
  readonly onChange: (given: AttributeTexts) => void;
}

/**
 * The attributes that an application would send in addition to the user id. The server does not
 * store them, so they are entered here.
 */
export function Attributes({ known, given, onChange }: AttributesProps) {
  const texts = usePersonTexts();
  const entries = Object.entries(given);
  return (
    <details className={`card ${styles.personAttributes}`} open={entries.length > 0 || undefined}>
      <summary>{texts.attributes}</summary>
      <p className="note">{texts.attributesHint}</p>
      {entries.length > 0 && (
        <ul className={styles.given}>
          {entries.map(([key, typed]) => (
            <li key={key} className="chip">
              <bdi>
                {key}: {typed}
              </bdi>
              <button
                type="button"
                aria-label={texts.removeAttribute(key)}
                onClick={() =>
                  onChange(Object.fromEntries(entries.filter(([other]) => other !== key)))
                }
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <AttributeForm known={known} given={given} onChange={onChange} />
    </details>
  );
}

function AttributeForm({ known, given, onChange }: AttributesProps) {
  const texts = usePersonTexts();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim() || !value.trim()) return;
    onChange({ ...given, [name.trim()]: value.trim() });
    setName("");
    setValue("");
  };
  return (
    <form className={styles.attributeForm} onSubmit={add}>
      <Field
        label={texts.attribute}
        options={known.filter((attribute) => !(attribute in given))}
        {...AS_TYPED}
        value={name}
        onChange={setName}
      />
      <Field label={texts.attributeValue} {...AS_TYPED} value={value} onChange={setValue} />
      <Button type="submit" kind="secondary" disabled={!name.trim() || !value.trim()}>
        {texts.addAttribute}
      </Button>
    </form>
  );
}
