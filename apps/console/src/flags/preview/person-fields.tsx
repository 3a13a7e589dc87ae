import { useId } from "react";
import { attributesOf } from "../../configuration/conditions/operators";
import type { AttributeType, FlagsDocument } from "../../configuration/document/document";
import { useReviewTexts } from "../../configuration/review/texts/texts";
import { useFlagsTexts } from "../texts/texts";
import type { Person } from "./person";
import styles from "./preview.module.css";

/** A field for each attribute that this flag's result can depend on. */
export function PersonFields(props: {
  readonly document: FlagsDocument;
  readonly names: readonly string[];
  readonly person: Person;
  readonly onChange: (person: Person) => void;
}) {
  const { document, names, person, onChange } = props;
  const { preview: previewTexts } = useFlagsTexts();
  const types = new Map(attributesOf(document).map(({ name, type }) => [name, type]));
  const shown = names.includes("userId") ? names : ["userId", ...names];
  return (
    <fieldset className={styles.personFields}>
      <legend>{previewTexts.person}</legend>
      {[...shown]
        .sort((a, b) => Number(b === "userId") - Number(a === "userId"))
        .map((name) => (
          <PersonField
            key={name}
            name={name}
            type={types.get(name) ?? "string"}
            value={person[name] ?? ""}
            onChange={(value) => onChange({ ...person, [name]: value })}
          />
        ))}
    </fieldset>
  );
}

const HINTS: Partial<Record<AttributeType, string>> = {
  semver: "7.2.0",
  date: "2026-11-21T09:30:00Z",
  ip: "10.1.2.3",
  "string[]": "a, b",
  "number[]": "1, 2",
};

function PersonField(props: {
  readonly name: string;
  readonly type: AttributeType;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { name, type, value, onChange } = props;
  const reviewTexts = useReviewTexts();
  const id = useId();
  return (
    <div className={styles.personField}>
      <label htmlFor={id}>
        <bdi className="mono">{name}</bdi>
      </label>
      {type === "boolean" ? (
        <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">–</option>
          <option value="true">{reviewTexts.yes}</option>
          <option value="false">{reviewTexts.no}</option>
        </select>
      ) : (
        <input
          id={id}
          dir="auto"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          inputMode={type === "number" ? "decimal" : undefined}
          placeholder={HINTS[type]}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  );
}
