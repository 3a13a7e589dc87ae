import { Button } from "@musette/react/ui";
import { timeZone } from "../../language/dates";
import { useLanguage } from "../../language/language-context";
import { ChoiceField } from "../../ui/choice-field";
import { Field } from "../../ui/field";
import { Icon } from "../../ui/icon";
import iconButtonStyles from "../../ui/icon-button.module.css";
import { InstantField } from "../../ui/instant-field";
import { TickField } from "../../ui/tick-field";
import styles from "../campaigns.module.css";
import { UNITS } from "../period";
import { useCampaignsTexts } from "../texts/texts";
import type { CampaignFieldsProps } from "./audience-fields";
import type { ErrorAt } from "./errors";
import { ANCHORS, nextStep, replaced, type StepForm, without } from "./form";

const CHANNELS = ["email", "sms", "push", "app", "webhook"] as const;
const STEPS_MAX = 20;

/** When messages are sent, and by which channel. */
export function StepsFields({ form, edit, errorAt, term }: CampaignFieldsProps) {
  const texts = useCampaignsTexts();
  const { tag } = useLanguage().language;
  const error = errorAt("/steps");
  return (
    <section className={`card ${styles.section}`}>
      <h2>{texts.steps}</h2>
      <p className="note">
        {texts.stepsHint} {texts.zone(timeZone())}
      </p>
      <ol className={styles.rows}>
        {form.steps.map((step, index) => {
          const number = (index + 1).toLocaleString(tag);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps have no other identity
            <li key={index} className={styles.row}>
              <div className={styles.rowHead}>
                <h3>{texts.step(number)}</h3>
                <button
                  type="button"
                  className={iconButtonStyles.iconButton}
                  aria-label={texts.removeStep(number)}
                  onClick={() => edit((now) => ({ ...now, steps: without(now.steps, index) }))}
                >
                  <Icon name="close" />
                </button>
              </div>
              <StepFields
                step={step}
                hasGrace={term?.grace_until !== undefined || step.anchor === "grace_until"}
                errorAt={(member) => errorAt(`/steps/${index}${member}`)}
                onChange={(part) =>
                  edit((now) => ({ ...now, steps: replaced(now.steps, index, part) }))
                }
              />
            </li>
          );
        })}
      </ol>
      {error && (
        <p className="failure" role="alert">
          {error}
        </p>
      )}
      <Button
        kind="secondary"
        disabled={form.steps.length >= STEPS_MAX}
        onClick={() => edit((now) => ({ ...now, steps: [...now.steps, nextStep(now.steps)] }))}
      >
        {texts.addStep}
      </Button>
      <TickField
        label={texts.anyTime}
        hint={texts.anyTimeHint}
        isOn={form.anyTime}
        onChange={(anyTime) => edit((now) => ({ ...now, anyTime }))}
      />
    </section>
  );
}

interface StepFieldsProps {
  readonly step: StepForm;
  readonly hasGrace: boolean;
  readonly errorAt: ErrorAt;
  readonly onChange: (part: Partial<StepForm>) => void;
}

function StepFields({ step, hasGrace, errorAt, onChange }: StepFieldsProps) {
  const texts = useCampaignsTexts();
  const anchors = ANCHORS.filter((anchor) => anchor !== "grace_until" || hasGrace);
  const units = step.unit === "other" ? [...UNITS, "other" as const] : UNITS;
  const errors = ["", "/at", "/at/before", "/at/after", "/channel"].map(errorAt).filter(Boolean);
  return (
    <>
      <div className={styles.fields}>
        <ChoiceField
          label={texts.when}
          value={step.anchor}
          aria-invalid={errorAt("/at/before") ? true : undefined}
          options={anchors.map((value) => ({ value, label: texts.anchors[value] }))}
          onChange={(anchor) => onChange({ anchor })}
        />
        {step.anchor === "instant" ? (
          <Instant
            value={step.instant}
            error={errorAt("/at/instant")}
            onChange={(instant) => onChange({ instant })}
          />
        ) : (
          <>
            <Field
              label={texts.amount}
              inputMode={step.unit === "other" ? "text" : "numeric"}
              dir="ltr"
              maxLength={20}
              autoComplete="off"
              error={errorAt("/at/by")}
              value={step.amount}
              onChange={(amount) => onChange({ amount })}
            />
            <ChoiceField
              label={texts.unit}
              value={step.unit}
              options={units.map((value) => ({ value, label: texts.units[value] }))}
              onChange={(unit) => onChange({ unit })}
            />
          </>
        )}
        <ChoiceField
          label={texts.channel}
          hint={texts.channelHints[step.channel]}
          value={step.channel}
          options={CHANNELS.map((value) => ({ value, label: texts.channels[value] }))}
          onChange={(channel) => onChange({ channel })}
        />
      </div>
      {errors.map((error) => (
        <p key={error} className="failure" role="alert">
          {error}
        </p>
      ))}
    </>
  );
}

function Instant(props: {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (instant: string) => void;
}) {
  const texts = useCampaignsTexts();
  return (
    <div className="field">
      <span aria-hidden="true">{texts.instant}</span>
      <InstantField
        label={texts.instant}
        value={props.value}
        isInvalid={props.error !== undefined}
        onChange={props.onChange}
      />
      {props.error && (
        <p className="failure" role="alert">
          {props.error}
        </p>
      )}
    </div>
  );
}
