import { useId } from "react";
import { ConditionEditor } from "../configuration/conditions/condition-editor";
import { unitsOf } from "../configuration/conditions/operators";
import { TokensField } from "../configuration/conditions/tokens-field";
import type { Json } from "../configuration/document/document";
import { firstErrorText } from "../configuration/drafts/error-text";
import styles from "../configuration/drafts/set-up.module.css";
import type { PartProps } from "../configuration/drafts/set-up-form";
import { timeZone } from "../language/dates";
import bannerStyles from "../ui/banner.module.css";
import { ChoiceField } from "../ui/choice-field";
import { Field } from "../ui/field";
import { InstantField } from "../ui/instant-field";
import { PercentField } from "../ui/percent-field";
import { type Draft, type HoldoutError, PERCENT_MAX, PERCENT_USUAL } from "./draft";
import { useHoldoutsTexts } from "./texts/texts";

type Props = PartProps<Draft, HoldoutError>;

export function WhoPart({ document, draft, isNew, errors, onChange }: Props) {
  const { form } = useHoldoutsTexts();
  const error = firstErrorText(errors, form.errors);
  return (
    <section className={`card ${styles.formPart}`}>
      <h2>{form.what}</h2>
      {isNew && (
        <Field
          label={form.keyField}
          hint={form.keyHint}
          autoComplete="off"
          spellCheck={false}
          value={draft.key}
          onChange={(key) => onChange({ key })}
          error={error("key", "keyForm", "keyTaken")}
        />
      )}
      <Field
        label={form.description}
        hint={form.descriptionHint}
        required={false}
        value={draft.description}
        onChange={(description) => onChange({ description })}
      />
      <PercentField
        isSlider
        label={form.size}
        hint={form.sizeHint}
        max={PERCENT_MAX}
        value={draft.percent}
        onChange={(percent) => onChange({ percent })}
        error={error("percent")}
      />
      {draft.percent > PERCENT_USUAL && <p className={bannerStyles.banner}>{form.big}</p>}
      <ChoiceField
        label={form.unit}
        hint={form.unitHint}
        value={draft.unit}
        options={unitsOf(document, draft.unit).map((unit) => ({ value: unit, label: unit }))}
        onChange={(unit) => onChange({ unit })}
      />
      <ChoiceField
        label={form.population}
        hint={form.populationHint}
        value={draft.population ? "some" : "everybody"}
        options={[
          { value: "everybody", label: form.everybody },
          { value: "some", label: form.some },
        ]}
        onChange={(whom) => onChange({ population: whom === "some" ? { all: [] } : null })}
      />
      {draft.population && (
        <ConditionEditor
          condition={draft.population}
          document={document}
          pointer="/population"
          onChange={(population) => onChange({ population })}
        />
      )}
    </section>
  );
}

export function AppliesPart({ draft, errors, onChange }: Props) {
  const { form } = useHoldoutsTexts();
  const error = firstErrorText(errors, form.errors)("applies", "flags");
  const tokens = (name: "flags" | "exceptFlags" | "tags") => (
    <div className="field">
      <span className={styles.fieldName}>{form[name]}</span>
      <TokensField
        label={form[name]}
        kind="text"
        values={draft[name]}
        placeholder={form.add}
        isInvalid={error !== undefined && name !== "tags"}
        onChange={(values: readonly Json[]) => onChange({ [name]: values.map(String) })}
      />
      {name === "exceptFlags" && <p className="note">{form.exceptHint}</p>}
    </div>
  );
  return (
    <section className={`card ${styles.formPart}`}>
      <h2>{form.applies}</h2>
      <div className={styles.formPair}>
        <ChoiceField
          label={form.mode}
          value={draft.mode}
          options={[
            { value: "global", label: form.modes.global },
            { value: "selected", label: form.modes.selected },
          ]}
          onChange={(mode) => onChange({ mode })}
        />
        <ChoiceField
          label={form.scope}
          value={draft.scope}
          options={[
            { value: "all", label: form.scopes.all },
            { value: "experiments", label: form.scopes.experiments },
          ]}
          onChange={(scope) => onChange({ scope })}
        />
      </div>
      {draft.mode === "global" ? (
        tokens("exceptFlags")
      ) : (
        <div className={styles.formPair}>
          {tokens("flags")}
          {tokens("tags")}
        </div>
      )}
      {error && <p className="failure">{error}</p>}
    </section>
  );
}

export function WhenPart({ draft, errors, onChange }: Props) {
  const { form } = useHoldoutsTexts();
  const id = useId();
  const error = firstErrorText(errors, form.errors);
  const order = error("order");
  const priority = error("priority");
  const times = ["startAt", "analysisAt", "stopAt"] as const;
  return (
    <section className={`card ${styles.formPart}`}>
      <h2>{form.schedule}</h2>
      <p className="note">{form.scheduleHint(timeZone())}</p>
      <div className={styles.formPair}>
        {times.map((name) => (
          <div key={name} className="field">
            <span className={styles.fieldName}>{form[name]}</span>
            <InstantField
              label={form[name]}
              value={draft[name]}
              isInvalid={order !== undefined}
              onChange={(instant) => onChange({ [name]: instant })}
            />
          </div>
        ))}
      </div>
      {order && <p className="failure">{order}</p>}
      <div className="field">
        <label htmlFor={id}>{form.priority}</label>
        <input
          id={id}
          type="number"
          step="1"
          aria-describedby={`${id}-hint`}
          aria-invalid={priority ? true : undefined}
          value={Number.isNaN(draft.priority) ? "" : draft.priority}
          onChange={({ target }) => onChange({ priority: target.valueAsNumber })}
        />
        <p id={`${id}-hint`} className="note">
          {form.priorityHint}
        </p>
        {priority && <p className="failure">{priority}</p>}
      </div>
    </section>
  );
}
