import bannerStyles from "../../ui/banner.module.css";
import { ChoiceField } from "../../ui/choice-field";
import { Field } from "../../ui/field";
import type { FlagsDocument, Metric } from "../document/document";
import { firstErrorText } from "../drafts/error-text";
import styles from "../drafts/set-up.module.css";
import type { MetricDraft, MetricError } from "./metric-draft";
import { useMetricTexts } from "./texts/texts";

const KINDS: readonly Metric["kind"][] = ["conversion", "sum", "mean", "ratio"];

interface MetricFieldsProps {
  readonly document: FlagsDocument;
  readonly draft: MetricDraft;
  /** The key can only be set on a new metric, because values are reported under it. */
  readonly isNew: boolean;
  readonly errors: readonly MetricError[];
  readonly onChange: (part: Partial<MetricDraft>) => void;
}

/** The settings of a metric, and which direction is better. */
export function MetricFields({ document, draft, isNew, errors, onChange }: MetricFieldsProps) {
  const texts = useMetricTexts();
  const error = firstErrorText(errors, texts.errors);
  const divisors = (document.metrics ?? []).filter(
    ({ key, kind }) => kind !== "ratio" && key !== draft.key,
  );
  return (
    <>
      {isNew && (document.metrics ?? []).length === 0 && (
        <p className={bannerStyles.banner}>{texts.firstDeclared}</p>
      )}
      {isNew && (
        <Field
          label={texts.key}
          hint={texts.keyHint}
          autoComplete="off"
          spellCheck={false}
          value={draft.key}
          onChange={(key) => onChange({ key })}
          error={error("metricKey", "metricKeyForm", "metricKeyTaken")}
        />
      )}
      <Field
        label={texts.name}
        required={false}
        value={draft.name}
        onChange={(name) => onChange({ name })}
      />
      <div className={styles.formPair}>
        <ChoiceField
          label={texts.direction}
          value={draft.direction}
          options={[
            { value: "increase", label: texts.directions.increase },
            { value: "decrease", label: texts.directions.decrease },
          ]}
          onChange={(direction) => onChange({ direction })}
        />
        <ChoiceField
          label={texts.kind}
          hint={texts.kindHints[draft.kind]}
          value={draft.kind}
          options={KINDS.map((kind) => ({ value: kind, label: texts.kinds[kind] }))}
          onChange={(kind) => onChange({ kind })}
        />
      </div>
      {draft.kind === "ratio" && (
        <>
          <ChoiceField
            label={texts.denominator}
            value={draft.denominator}
            options={[
              { value: "", label: texts.choose },
              ...divisors.map((divisor) => ({
                value: divisor.key,
                label: divisor.name ?? divisor.key,
              })),
            ]}
            onChange={(denominator) => onChange({ denominator })}
          />
          {error("denominator") && <p className="failure">{error("denominator")}</p>}
        </>
      )}
      <details>
        <summary>{texts.bounds}</summary>
        <Bounds draft={draft} error={error("number", "range", "cap")} onChange={onChange} />
      </details>
    </>
  );
}

function Bounds(props: {
  readonly draft: MetricDraft;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<MetricDraft>) => void;
}) {
  const texts = useMetricTexts();
  const { draft, error, onChange } = props;
  const number = (name: "min" | "max" | "cap") => (
    <Field
      label={texts[name]}
      hint={name === "cap" ? texts.capHint : undefined}
      required={false}
      inputMode="decimal"
      value={draft[name]}
      onChange={(typed) => onChange({ [name]: typed })}
    />
  );
  return (
    <div className={styles.formPart}>
      <Field
        label={texts.description}
        required={false}
        value={draft.description}
        onChange={(description) => onChange({ description })}
      />
      <div className={styles.formPair}>
        <Field
          label={texts.unit}
          hint={texts.unitHint}
          required={false}
          value={draft.unit}
          onChange={(unit) => onChange({ unit })}
        />
        {number("cap")}
        {number("min")}
        {number("max")}
      </div>
      {error && <p className="failure">{error}</p>}
    </div>
  );
}
