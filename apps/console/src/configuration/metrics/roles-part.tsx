import { ChoiceField } from "../../ui/choice-field";
import iconButtonStyles from "../../ui/icon-button.module.css";
import type { FlagsDocument } from "../document/document";
import styles from "../drafts/set-up.module.css";
import { firstFaultText } from "../drafts/tell-fault";
import { MetricFields } from "./metric-fields";
import { NEW_METRIC, type RolesDraft, type RolesFault } from "./roles";
import rolesStyles from "./roles.module.css";
import { useMetricTexts } from "./texts/texts";

interface RolesPartProps {
  readonly document: FlagsDocument;
  readonly draft: RolesDraft;
  readonly faults: readonly string[];
  readonly onChange: (part: Partial<RolesDraft>) => void;
}

/** The goal metric, and the guardrails that must not become worse. */
export function RolesPart({ document, draft, faults, onChange }: RolesPartProps) {
  const texts = useMetricTexts();
  const rolesFaults = faults.filter((fault): fault is RolesFault => fault in texts.faults);
  const fault = firstFaultText(rolesFaults, texts.faults);
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
      {fault("goal") && <p className="failure">{fault("goal")}</p>}
      {draft.goal === NEW_METRIC && (
        <fieldset className={rolesStyles.newMetric}>
          <legend>{texts.declare}</legend>
          <MetricFields
            isNew
            document={document}
            draft={draft.newMetric}
            faults={rolesFaults.filter((rolesFault) => rolesFault !== "goal")}
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
