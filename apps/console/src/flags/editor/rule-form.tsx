import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { ConditionEditor } from "../../configuration/conditions/condition-editor";
import conditionsStyles from "../../configuration/conditions/conditions.module.css";
import { FieldErrors } from "../../configuration/conditions/field-errors-context";
import type { Flag, FlagsDocument, Rule, Serve } from "../../configuration/document/document";
import { useDescriber } from "../../configuration/review/use-describer";
import quietStyles from "../../ui/quiet-button.module.css";
import { useFlagsTexts } from "../texts/texts";
import editorStyles from "./editor.module.css";
import { RolloutForm } from "./rollout-form";
import rulesStyles from "./rules.module.css";
import { VariationSelect } from "./section";

interface RuleFormProps {
  readonly flag: Flag;
  readonly document: FlagsDocument;
  readonly rule: Rule;
  readonly at: number;
  readonly onChange: (rule: Rule) => void;
  readonly onRemove: () => void;
}

export function RuleForm({ flag, document, rule, at, onChange, onRemove }: RuleFormProps) {
  const { editor: editorTexts } = useFlagsTexts();
  const id = useId();
  const pointer = `/rules/${at}`;
  const rename = (name: string) => {
    const { name: _, ...rest } = rule;
    onChange(name ? { ...rest, name } : rest);
  };
  return (
    <div className={rulesStyles.ruleForm}>
      <div className="field">
        <label htmlFor={id}>{editorTexts.ruleName}</label>
        <input
          id={id}
          dir="auto"
          placeholder={editorTexts.ruleNameHint}
          value={rule.name ?? ""}
          onChange={({ target }) => rename(target.value)}
        />
      </div>
      <fieldset className={conditionsStyles.rulePart}>
        <legend>{editorTexts.who}</legend>
        <ConditionEditor
          condition={rule.when}
          document={document}
          pointer={`${pointer}/when`}
          onChange={(when) => onChange({ ...rule, when })}
        />
      </fieldset>
      <fieldset className={conditionsStyles.rulePart}>
        <legend>{editorTexts.what}</legend>
        <ServeForm
          flag={flag}
          document={document}
          serve={rule.serve}
          pointer={`${pointer}/serve`}
          onChange={(serve) => onChange({ ...rule, serve })}
        />
      </fieldset>
      <FieldErrors at={`${pointer}/id`} />
      <button
        type="button"
        className={`${quietStyles.quiet} ${quietStyles.danger}`}
        onClick={onRemove}
      >
        {editorTexts.removeRule}
      </button>
    </div>
  );
}

interface ServeFormProps {
  readonly flag: Flag;
  readonly document: FlagsDocument;
  readonly serve: Serve;
  readonly pointer: string;
  readonly onChange: (serve: Serve) => void;
}

function ServeForm({ flag, document, serve, pointer, onChange }: ServeFormProps) {
  const { editor: editorTexts } = useFlagsTexts();
  const name = useId();
  if ("experiment" in serve) return <ExperimentShown serve={serve} pointer={pointer} />;
  const isRollout = "rollout" in serve;
  const variation = isRollout ? serve.rollout.variation : serve.variation;
  const choose = (next: boolean) =>
    onChange(
      next ? { rollout: { unit: "userId", steps: [{ percent: 10 }], variation } } : { variation },
    );
  return (
    <>
      <div className={rulesStyles.serveChoice}>
        {[false, true].map((value) => (
          <label key={String(value)}>
            <input
              type="radio"
              name={name}
              checked={isRollout === value}
              onChange={() => choose(value)}
            />
            {value ? editorTexts.share : editorTexts.allOfThem}
          </label>
        ))}
      </div>
      {isRollout ? (
        <RolloutForm
          flag={flag}
          document={document}
          rollout={serve.rollout}
          pointer={`${pointer}/rollout`}
          onChange={(rollout) => onChange({ rollout })}
        />
      ) : (
        <span className={editorStyles.inlineField}>
          <span aria-hidden="true">{editorTexts.gets}</span>
          <VariationSelect
            label={editorTexts.gets}
            value={serve.variation}
            variations={flag.variations}
            onChange={(key) => onChange({ variation: key })}
          />
        </span>
      )}
      <FieldErrors at={`${pointer}/variation`} />
    </>
  );
}

/** Read-only: the shares affect the measurement, so they are edited on the experiment's page. */
function ExperimentShown(props: {
  readonly serve: Extract<Serve, { experiment: unknown }>;
  readonly pointer: string;
}) {
  const { experiment } = props.serve;
  const { editor: editorTexts } = useFlagsTexts();
  const { percent, texts: told } = useDescriber();
  return (
    <div className={rulesStyles.split}>
      <p>
        {editorTexts.experiment} <bdi className="mono">{experiment.key}</bdi>{" "}
        <span className="chip" data-tone={experiment.status === "running" ? "good" : undefined}>
          {told.experimentStatus[experiment.status]}
        </span>
      </p>
      <div className={rulesStyles.splitBar} aria-hidden="true">
        {Object.entries(experiment.weights)
          .filter(([, weight]) => weight > 0)
          .map(([key, weight]) => (
            <span key={key} style={{ flexGrow: weight }} />
          ))}
      </div>
      <ul className={rulesStyles.splitLegend}>
        {Object.entries(experiment.weights).map(([key, weight]) => (
          <li key={key}>
            <bdi>{key}</bdi> {percent(weight / 1000)}
          </li>
        ))}
      </ul>
      <p className="note">
        {editorTexts.experimentHint(percent(experiment.coverage / 1000), experiment.unit)}
      </p>
      <FieldErrors at={`${props.pointer}/experiment`} isDeep />
      <Link to="/experiments/$key" params={{ key: experiment.key }}>
        {editorTexts.toExperiment}
      </Link>
    </div>
  );
}
