import { type ReactNode, useId } from "react";
import iconButtonStyles from "../../ui/icon-button.module.css";
import quietStyles from "../../ui/quiet-button.module.css";
import type { Condition, FlagsDocument, Test } from "../document/document";
import { useReviewTexts } from "../review/texts/texts";
import styles from "./conditions.module.css";
import { FieldErrors, useFieldErrors } from "./field-errors-context";
import { OperandField } from "./operand-field";
import { attributesOf, newTest, OPERATORS, withOperator } from "./operators";
import { useConditionsTexts } from "./texts/texts";

interface PartProps {
  readonly condition: Condition;
  readonly document: FlagsDocument;
  /** Relative to the edited object. */
  readonly pointer: string;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove?: () => void;
}

/** Edits a condition: comparisons and segments, combined by all or any, nested to any depth. */
export function ConditionEditor(props: Omit<PartProps, "onRemove">) {
  const { condition, document, pointer, onChange } = props;
  const isGroup = "all" in condition || "any" in condition;
  return (
    <div className={styles.condition}>
      <ConditionPart {...props} />
      {!isGroup && (
        <AddParts document={document} onAdd={(part) => onChange({ all: [condition, part] })} />
      )}
      <FieldErrors at={pointer} />
    </div>
  );
}

function ConditionPart(props: PartProps): ReactNode {
  const { condition, pointer, onChange } = props;
  const texts = useConditionsTexts();
  const isNot = "not" in condition;
  const inner = isNot ? condition.not : condition;
  const at = isNot ? `${pointer}/not` : pointer;
  const change = (next: Condition) => onChange(isNot ? { not: next } : next);
  const not = (
    <button
      type="button"
      className={styles.not}
      aria-pressed={isNot}
      title={texts.notHint}
      onClick={() => onChange(isNot ? inner : { not: condition })}
    >
      {texts.not}
    </button>
  );
  const own = { ...props, pointer: at, onChange: change };
  if ("all" in inner) return <Group {...own} parts={inner.all} how="all" not={not} />;
  if ("any" in inner) return <Group {...own} parts={inner.any} how="any" not={not} />;
  if ("not" in inner) return <ConditionPart {...own} condition={inner} />;
  if ("segment" in inner) return <SegmentRow {...own} segment={inner.segment} not={not} />;
  return <TestRow {...own} test={inner} not={not} />;
}

function Group(
  props: PartProps & {
    readonly parts: readonly Condition[];
    readonly how: "all" | "any";
    readonly not: ReactNode;
  },
) {
  const { parts, how, not, document, pointer, onChange, onRemove } = props;
  const texts = useConditionsTexts();
  const id = useId();
  const make = (next: readonly Condition[], by = how) =>
    onChange(by === "all" ? { all: next } : { any: next });
  const isPlain = parts.length === 0 && !onRemove;
  return (
    <fieldset className={styles.group} data-inner={onRemove ? true : undefined}>
      <legend className="mu-hidden">{texts[how]}</legend>
      {!isPlain && (
        <div className={styles.groupHead}>
          {(onRemove || parts.length > 0) && not}
          <select
            id={id}
            aria-label={texts.howMany}
            value={how}
            onChange={(event) => make(parts, event.target.value === "any" ? "any" : "all")}
          >
            <option value="all">{texts.all}</option>
            <option value="any">{texts.any}</option>
          </select>
          {onRemove && <Remove onRemove={onRemove} />}
        </div>
      )}
      {isPlain && <p className="note">{how === "all" ? texts.everybody : texts.nobody}</p>}
      {parts.map((part, at) => (
        <ConditionPart
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition is nothing but its place
          key={at}
          condition={part}
          document={document}
          pointer={`${pointer}/${how}/${at}`}
          onChange={(next) => make(parts.with(at, next))}
          onRemove={() => make(parts.toSpliced(at, 1))}
        />
      ))}
      <AddParts document={document} onAdd={(part) => make([...parts, part])} />
    </fieldset>
  );
}

function Remove({ onRemove }: { readonly onRemove: () => void }) {
  const texts = useConditionsTexts();
  return (
    <button
      type="button"
      className={iconButtonStyles.iconButton}
      aria-label={texts.removePart}
      onClick={onRemove}
    >
      ×
    </button>
  );
}

function AddParts(props: {
  readonly document: FlagsDocument;
  readonly onAdd: (part: Condition) => void;
}) {
  const { document, onAdd } = props;
  const texts = useConditionsTexts();
  const [first] = attributesOf(document);
  const [segment] = document.segments;
  return (
    <div className={styles.addParts}>
      <button
        type="button"
        className={quietStyles.quiet}
        onClick={() => first && onAdd(newTest(first))}
      >
        {texts.addTest}
      </button>
      {segment && (
        <button
          type="button"
          className={quietStyles.quiet}
          onClick={() => onAdd({ segment: segment.key })}
        >
          {texts.addSegment}
        </button>
      )}
      <button
        type="button"
        className={quietStyles.quiet}
        onClick={() => first && onAdd({ any: [newTest(first)] })}
      >
        {texts.addGroup}
      </button>
    </div>
  );
}

function SegmentRow(props: PartProps & { readonly segment: string; readonly not: ReactNode }) {
  const { segment, not, document, pointer, onChange, onRemove } = props;
  const texts = useConditionsTexts();
  const keys = document.segments.map(({ key }) => key);
  return (
    <div className={styles.part}>
      {not}
      <span>{texts.inSegment}</span>
      <select
        aria-label={texts.segment}
        value={segment}
        onChange={(event) => onChange({ segment: event.target.value })}
      >
        {(keys.includes(segment) ? keys : [segment, ...keys]).map((key) => (
          <option key={key}>{key}</option>
        ))}
      </select>
      {onRemove && <Remove onRemove={onRemove} />}
      <FieldErrors at={`${pointer}/segment`} />
    </div>
  );
}

function TestRow(props: PartProps & { readonly test: Test; readonly not: ReactNode }) {
  const { test, not, document, pointer, onChange, onRemove } = props;
  const texts = useConditionsTexts();
  const { operators } = useReviewTexts();
  const attributes = attributesOf(document);
  const attribute = attributes.find(({ name }) => name === test.attr);
  const type = attribute?.type ?? "string";
  const isUnknown = useFieldErrors(`${pointer}/op`).length > 0;
  const offered = OPERATORS[type].includes(test.op)
    ? OPERATORS[type]
    : [test.op, ...OPERATORS[type]];
  return (
    <div className={styles.part}>
      {not}
      <select
        aria-label={texts.attribute}
        value={test.attr}
        onChange={(event) => {
          const next = attributes.find(({ name }) => name === event.target.value);
          if (next) onChange(next.type === type ? { ...test, attr: next.name } : newTest(next));
        }}
      >
        {!attribute && <option>{test.attr}</option>}
        {attributes.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <select
        aria-label={texts.comparison}
        aria-invalid={isUnknown || undefined}
        value={test.op}
        onChange={(event) => {
          const op = offered.find((operator) => operator === event.target.value);
          if (op) onChange(withOperator(test, op, type));
        }}
      >
        {offered.map((op) => (
          <option key={op} value={op}>
            {operators[op]}
          </option>
        ))}
      </select>
      <OperandField test={test} type={type} pointer={pointer} onChange={onChange} />
      {onRemove && <Remove onRemove={onRemove} />}
      <FieldErrors at={`${pointer}/attr`} />
      <FieldErrors at={`${pointer}/op`} />
      <FieldErrors at={`${pointer}/value`} />
      <FieldErrors at={`${pointer}/values`} isDeep />
    </div>
  );
}
