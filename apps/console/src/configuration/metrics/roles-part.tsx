import { ChoiceField } from "../../ui/choice-field";
import iconButtonStyles from "../../ui/icon-button.module.css";
import type { FlagsDocument } from "../document/document";
import { firstErrorText } from "../drafts/error-text";
import styles from "../drafts/set-up.module.css";
import { MetricFields } from "./metric-fields";
import { NEW_METRIC, type RolesDraft, type RolesError } from "./roles";
import rolesStyles from "./roles.module.css";
import { useMetricTexts } from "./texts/texts";

interface RolesPartProps {
  readonly document: FlagsDocument;
  readonly draft: RolesDraft;
  readonly errors: readonly string[];
  readonly onChange: (part: Partial<RolesDraft>) => void;
}

/** The goal metric, and the guardrails that must not become worse. */
export function RolesPart({ document, draft, errors, onChange }: RolesPartProps) {
  const texts = useMetricTexts();
  const rolesErrors = errors.filter((error): error is RolesError => error in texts.errors);
  const error = firstErrorText(rolesErrors, texts.errors);
  const metrics = document.metrics ?? [];
  const nameOf = (key: string) => metrics.find((metric) => metric.key === key)?.name ?? key;
  const chosen = [draft.goal, ...draft.guardrails, ...draft.secondary];
  const free = metrics.filter(({ key }) => !chosen.includes(key)).map(({ key }) => key);
  const choose = (goal: string) =>
    onChange({
      goal,
      guardrails: draft.guardrails.filter((guardrail) => guardrail !== goal),
      secondary: draft.secondary.filter((key) => key !== goal),
    });
  return (
    <section className={`card ${styles.formPart}`}>
      <h2>{texts.metrics}</h2>
      <ChoiceField
        label={texts.goal}
        hint={texts.goalHint}
        value={draft.goal}
        options={[
          { value: "", label: texts.choose },
          ...metrics.map(({ key }) => ({ value: key, label: nameOf(key) })),
          { value: NEW_METRIC, label: texts.newMetric },
        ]}
        onChange={choose}
      />
      {error("goal") && <p className="failure">{error("goal")}</p>}
      {draft.goal === NEW_METRIC && (
        <fieldset className={rolesStyles.newMetric}>
          <legend>{texts.declare}</legend>
          <MetricFields
            isNew
            document={document}
            draft={draft.newMetric}
            errors={rolesErrors.filter((rolesError) => rolesError !== "goal")}
            onChange={(part) => onChange({ newMetric: { ...draft.newMetric, ...part } })}
          />
        </fieldset>
      )}
      {(["guardrails", "secondary"] as const).map((role) => (
        <MetricList
          key={role}
          label={texts[role]}
          hint={role === "guardrails" ? texts.guardrailsHint : texts.secondaryHint}
          chosen={draft[role]}
          free={free}
          nameOf={nameOf}
          onChange={(keys) => onChange({ [role]: keys })}
        />
      ))}
    </section>
  );
}

function MetricList(props: {
  readonly label: string;
  readonly hint: string;
  readonly chosen: readonly string[];
  readonly free: readonly string[];
  readonly nameOf: (key: string) => string;
  readonly onChange: (keys: readonly string[]) => void;
}) {
  const texts = useMetricTexts();
  const { label, hint, chosen, free, nameOf, onChange } = props;
  if (chosen.length + free.length === 0) return null;
  return (
    <div className={rolesStyles.role}>
      <ChoiceField
        label={label}
        hint={hint}
        value=""
        options={[
          { value: "", label: texts.add },
          ...free.map((key) => ({ value: key, label: nameOf(key) })),
        ]}
        onChange={(key) => key && onChange([...chosen, key])}
      />
      {chosen.length > 0 && (
        <ul aria-label={label}>
          {chosen.map((key) => (
            <li key={key}>
              <bdi>{nameOf(key)}</bdi>
              <button
                type="button"
                className={iconButtonStyles.iconButton}
                aria-label={texts.remove(nameOf(key))}
                onClick={() => onChange(chosen.filter((chosenKey) => chosenKey !== key))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
