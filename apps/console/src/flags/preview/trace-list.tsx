import { attributesOf } from "../../configuration/conditions/operators";
import type { Flag, FlagsDocument } from "../../configuration/document/document";
import { useDescriber } from "../../configuration/review/use-describer";
import { useFlagsTexts } from "../texts/texts";
import styles from "./preview.module.css";
import type { TraceStep } from "./preview-query";
import { type EvaluationStep, parseStep } from "./trace";

/** Lists everything that was evaluated, in order. */
export function TraceList(props: {
  readonly flag: Flag;
  readonly document: FlagsDocument;
  readonly steps: readonly TraceStep[];
}) {
  const { flag, document, steps } = props;
  const { preview: previewTexts } = useFlagsTexts();
  const describeStep = useDescribeStep();
  const label = useStepLabel(flag);
  const names = attributesOf(document).map(({ name }) => name);
  return (
    <details className={styles.trace}>
      <summary>{previewTexts.trace}</summary>
      <ol>
        {steps.map((step, at) => {
          const looked = parseStep(step, names);
          // A person who is not held out has passed: this is not a failed condition.
          const mark = step.ok ? "✓" : looked.kind === "holdout" ? "–" : "×";
          const isNewStep = steps[at - 1]?.step !== step.step;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is nothing but its place
            <li key={at} data-mark={mark}>
              {isNewStep && <strong>{label(step.step)}</strong>}
              <span className={styles.looked}>
                <span className={styles.mark} aria-hidden="true">
                  {mark}
                </span>
                <span className="mu-hidden">
                  {step.ok ? previewTexts.holds : previewTexts.fails}:{" "}
                </span>
                <span>{describeStep(looked)}</span>
              </span>
            </li>
          );
        })}
      </ol>
    </details>
  );
}

function useStepLabel(flag: Flag): (step: string) => string {
  const { texts } = useDescriber();
  const { editor } = useFlagsTexts();
  return (step) => {
    const [kind = "", ...rest] = step.split(":");
    const key = rest.join(":");
    const at = flag.rules.findIndex(({ id }) => id === key);
    const name = flag.rules[at]?.name;
    if (kind === "rule" && at >= 0) {
      return texts.rule(String(at + 1), name ? texts.quoted(name) : "");
    }
    if (kind === "override") return editor.overrides;
    if (kind === "flag") return texts.prerequisite(texts.quoted(key));
    if (kind === "holdout") return `${texts.sections.holdouts} ${texts.quoted(key)}`;
    if (kind === "experiment") return `${texts.fields.experiment} ${texts.quoted(key)}`;
    return step;
  };
}

function useDescribeStep(): (looked: EvaluationStep) => string {
  const { preview: previewTexts } = useFlagsTexts();
  const describer = useDescriber();
  return (step) => {
    switch (step.kind) {
      case "test":
        return previewTexts.test(
          describer.test(step.test),
          step.got === null ? previewTexts.unknown : describer.value(step.got),
        );
      case "draw":
        return step.at === undefined
          ? previewTexts.noUnit(step.unit)
          : previewTexts.draw(describer.percent(step.percent), describer.percent(step.at));
      case "holdout":
        return previewTexts.groups[step.group] ?? step.group;
      case "prerequisite":
        return previewTexts.serves(describer.value(step.got));
      case "override":
        return previewTexts.named(describer.value(step.got));
      case "other":
        return step.cond;
      default:
        return previewTexts[step.kind](step.unit);
    }
  };
}
