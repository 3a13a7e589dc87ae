import { timeZone } from "../../language/dates";
import { InstantField } from "../../ui/instant-field";
import type { AttributeType, Json, Test } from "../document/document";
import { useReviewTexts } from "../review/texts/texts";
import styles from "./conditions.module.css";
import { useFieldErrors } from "./field-errors-context";
import { arity, type OperandKind, operandKind } from "./operators";
import { useConditionsTexts } from "./texts/texts";
import { TokensField } from "./tokens-field";

interface OperandFieldProps {
  readonly test: Test;
  readonly type: AttributeType;
  readonly pointer: string;
  readonly onChange: (test: Test) => void;
}

/** The operand of a comparison, in a field for its type. */
export function OperandField({ test, type, pointer, onChange }: OperandFieldProps) {
  const texts = useConditionsTexts();
  const kind = operandKind(type, test.op);
  const isInvalid =
    useFieldErrors(`${pointer}/value`).length + useFieldErrors(`${pointer}/values`, true).length >
    0;
  const count = arity(test.op);
  const values = test.values ?? [];
  if (count === "none") return null;
  if (count === "several") {
    return (
      <TokensField
        label={texts.values}
        kind={kind}
        values={values}
        isInvalid={isInvalid}
        {...(test.op === "cidr" && { placeholder: "10.0.0.0/8" })}
        onChange={(next) => onChange({ ...test, values: next })}
      />
    );
  }
  if (count === "two") {
    const end = (at: 0 | 1) => (
      <OneField
        label={at === 0 ? texts.lower : texts.upper}
        kind={kind}
        type={type}
        value={values[at] ?? 0}
        isInvalid={isInvalid}
        onChange={(value) =>
          onChange({
            ...test,
            values: at === 0 ? [value, values[1] ?? 0] : [values[0] ?? 0, value],
          })
        }
      />
    );
    return (
      <span className={styles.between}>
        {end(0)}
        <span>{texts.and}</span>
        {end(1)}
      </span>
    );
  }
  return (
    <OneField
      label={texts.value}
      kind={kind}
      type={type}
      value={test.value ?? ""}
      isInvalid={isInvalid}
      onChange={(value) => onChange({ ...test, value })}
    />
  );
}

function OneField(props: {
  readonly label: string;
  readonly kind: OperandKind;
  readonly type: AttributeType;
  readonly value: Json;
  readonly isInvalid: boolean;
  readonly onChange: (value: Json) => void;
}) {
  const { label, kind, type, value, isInvalid, onChange } = props;
  const reviewTexts = useReviewTexts();
  if (kind === "instant") {
    return (
      <span className={styles.instant}>
        <InstantField
          label={label}
          value={String(value)}
          isInvalid={isInvalid}
          onChange={onChange}
        />
        <span className="note">{timeZone()}</span>
      </span>
    );
  }
  if (kind === "boolean") {
    return (
      <select
        aria-label={label}
        value={String(value)}
        onChange={(event) => onChange(event.target.value === "true")}
      >
        <option value="true">{reviewTexts.yes}</option>
        <option value="false">{reviewTexts.no}</option>
      </select>
    );
  }
  if (kind === "number") {
    return <NumberField {...{ label, value, isInvalid, onChange }} />;
  }
  return (
    <input
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      dir="auto"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      placeholder={type === "semver" ? "7.2.0" : undefined}
      value={String(value)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** A number field that keeps text which is not a number yet, and reports it as an error. */
export function NumberField(props: {
  readonly label: string;
  readonly value: Json;
  readonly isInvalid?: boolean;
  readonly onChange: (value: Json) => void;
}) {
  const { label, value, isInvalid, onChange } = props;
  return (
    <input
      type="number"
      step="any"
      aria-label={label}
      aria-invalid={isInvalid || typeof value !== "number" || undefined}
      value={typeof value === "number" ? value : ""}
      onChange={({ target }) =>
        onChange(Number.isNaN(target.valueAsNumber) ? "" : target.valueAsNumber)
      }
    />
  );
}
