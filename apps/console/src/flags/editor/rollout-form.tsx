import { useId } from "react";
import { FieldErrors, useFieldErrors } from "../../configuration/conditions/field-errors-context";
import { unitsOf } from "../../configuration/conditions/operators";
import type { Flag, FlagsDocument, Rollout, Step } from "../../configuration/document/document";
import { useDescriber } from "../../configuration/review/use-describer";
import { timeZone } from "../../language/dates";
import iconButtonStyles from "../../ui/icon-button.module.css";
import { InstantField } from "../../ui/instant-field";
import quietStyles from "../../ui/quiet-button.module.css";
import { useFlagsTexts } from "../texts/texts";
import editorStyles from "./editor.module.css";
import rulesStyles from "./rules.module.css";
import { VariationSelect } from "./section";

interface RolloutFormProps {
  readonly flag: Flag;
  readonly document: FlagsDocument;
  readonly rollout: Rollout;
  /** Relative to the flag. */
  readonly pointer: string;
  readonly onChange: (rollout: Rollout) => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;

/** The percentage of the people who match the rule, now or growing over several days. */
export function RolloutForm({ flag, document, rollout, pointer, onChange }: RolloutFormProps) {
  const { editor: editorTexts } = useFlagsTexts();
  const { steps } = rollout;
  const setStep = (at: number, step: Step) => onChange({ ...rollout, steps: steps.with(at, step) });
  const remove = (at: number) => onChange({ ...rollout, steps: steps.toSpliced(at, 1) });
  const add = () => {
    const last = steps.at(-1);
    const begin = Math.max(last?.at ? Date.parse(last.at) + WEEK_MS : 0, Date.now() + DAY_MS);
    const hour = new Date(Math.floor(begin / 3_600_000) * 3_600_000);
    const percent = Math.min(100, Math.max(5, (last?.percent ?? 0) * 2));
    onChange({ ...rollout, steps: [...steps, { at: hour.toISOString(), percent }] });
  };
  return (
    <div className={rulesStyles.rollout}>
      <div className={rulesStyles.rolloutLine}>
        <span className={editorStyles.inlineField}>
          <span aria-hidden="true">{editorTexts.gets}</span>
          <VariationSelect
            label={editorTexts.gets}
            value={rollout.variation}
            variations={flag.variations}
            onChange={(variation) => onChange({ ...rollout, variation })}
          />
        </span>
        <label className={editorStyles.inlineField}>
          {editorTexts.drawnBy}
          <select
            value={rollout.unit}
            onChange={({ target }) => onChange({ ...rollout, unit: target.value })}
          >
            {unitsOf(document, rollout.unit).map((unit) => (
              <option key={unit}>{unit}</option>
            ))}
          </select>
        </label>
      </div>
      <FieldErrors at={`${pointer}/variation`} />
      <FieldErrors at={`${pointer}/unit`} />
      <ol className={rulesStyles.steps}>
        {steps.map((step, at) => (
          <StepRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is nothing but its place
            key={at}
            step={step}
            isFirst={at === 0}
            pointer={`${pointer}/steps/${at}`}
            onChange={(next) => setStep(at, next)}
            {...(steps.length > 1 && { onRemove: () => remove(at) })}
          />
        ))}
      </ol>
      <FieldErrors at={`${pointer}/steps`} />
      <button type="button" className={`${quietStyles.quiet} ${editorStyles.add}`} onClick={add}>
        {editorTexts.addStep}
      </button>
      <p className="note">{editorTexts.rolloutHint(timeZone())}</p>
    </div>
  );
}

function StepRow(props: {
  readonly step: Step;
  readonly isFirst: boolean;
  readonly pointer: string;
  readonly onChange: (step: Step) => void;
  readonly onRemove?: () => void;
}) {
  const { step, isFirst, pointer, onChange, onRemove } = props;
  const { editor: editorTexts } = useFlagsTexts();
  const { percent } = useDescriber();
  const id = useId();
  const isWrong = useFieldErrors(`${pointer}/percent`).length > 0;
  const isLate = useFieldErrors(`${pointer}/at`).length > 0;
  const set = (value: number) =>
    onChange({ ...step, percent: Number.isFinite(value) ? value : Number.NaN });
  return (
    <li className={rulesStyles.step}>
      <div className={rulesStyles.stepWhen}>
        {step.at === undefined ? (
          <span>{editorTexts.fromStart}</span>
        ) : (
          <InstantField
            label={editorTexts.stepAt}
            value={step.at}
            isInvalid={isLate}
            onChange={(at) => onChange({ ...step, at })}
          />
        )}
        {isFirst && (
          <button
            type="button"
            className={quietStyles.quiet}
            onClick={() =>
              onChange(
                step.at === undefined
                  ? { percent: step.percent, at: new Date(Date.now() + DAY_MS).toISOString() }
                  : { percent: step.percent },
              )
            }
          >
            {step.at === undefined ? editorTexts.laterInstead : editorTexts.nowInstead}
          </button>
        )}
      </div>
      <div className={rulesStyles.stepShare}>
        <input
          type="range"
          min={0}
          max={100}
          step={1}
          aria-label={editorTexts.shareOf}
          aria-valuetext={percent(step.percent || 0)}
          value={step.percent || 0}
          onChange={({ target }) => set(target.valueAsNumber)}
        />
        <input
          id={id}
          type="number"
          min={0}
          max={100}
          step="any"
          aria-label={editorTexts.percent}
          aria-invalid={isWrong || undefined}
          value={Number.isFinite(step.percent) ? step.percent : ""}
          onChange={({ target }) => set(target.valueAsNumber)}
        />
        <span aria-hidden="true">%</span>
        {onRemove && (
          <button
            type="button"
            className={iconButtonStyles.iconButton}
            aria-label={editorTexts.removeStep}
            onClick={onRemove}
          >
            ×
          </button>
        )}
      </div>
      <FieldErrors at={`${pointer}/percent`} />
      <FieldErrors at={`${pointer}/at`} />
    </li>
  );
}
