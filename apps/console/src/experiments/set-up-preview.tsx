import type { FlagsDocument } from "../configuration/document/document";
import styles from "../configuration/drafts/set-up.module.css";
import { goalMetric } from "../configuration/metrics/roles";
import { useMetricTexts } from "../configuration/metrics/texts/texts";
import { useDescriber } from "../configuration/review/use-describer";
import { useLanguage } from "../language/language-context";
import { ArmsBar } from "../results/arms-bar";
import { isolated } from "../results/use-figures";
import { type Draft, shareOf } from "./draft";
import { experimentOf } from "./of-document";
import { useExperimentsTexts } from "./texts/texts";

/** Describes the experiment as text while it is being set up. */
export function SetUpPreview({
  document,
  draft,
}: {
  readonly document: FlagsDocument;
  readonly draft: Draft;
}) {
  const { setUp } = useExperimentsTexts();
  const { language } = useLanguage();
  const describer = useDescriber();
  const { directions } = useMetricTexts();
  const flag = document.flags.find(({ key }) => key === draft.flag);
  if (!flag) return null;
  const percent = new Intl.NumberFormat(language.tag, {
    style: "percent",
    maximumFractionDigits: 3,
  });
  const part = percent.format(shareOf(draft));
  const goal = goalMetric(document, draft);
  const named = (keys: readonly string[]) => describer.list(keys.map(isolated), "and");
  const rule = experimentOf(document, draft.key)?.rule;
  const holdouts = document.holdouts.filter(
    ({ status, applies }) =>
      (status === "running" || status === "analysis") &&
      (applies.mode === "global"
        ? !applies.exceptFlags.includes(flag.key)
        : applies.flags.includes(flag.key) || applies.tags.some((tag) => flag.tags.includes(tag))),
  );
  const lines = [
    setUp.reaches(isolated(flag.key)),
    ...(rule ? [setUp.when(describer.condition(rule.when))] : []),
    draft.layer ? setUp.partOfLayer(part, isolated(draft.layer)) : setUp.part(part),
    setUp.drawn(isolated(draft.unit)),
    ...(draft.isSticky ? [setUp.stays] : []),
    setUp.others(isolated(flag.defaultVariation)),
    ...(holdouts.length > 0 ? [setUp.heldOut(named(holdouts.map(({ key }) => key)))] : []),
    goal?.key
      ? setUp.counted(isolated(goal.name ?? goal.key), directions[goal.direction])
      : setUp.notCounted,
    ...(draft.guardrails.length > 0 ? [setUp.guarded(named(draft.guardrails))] : []),
  ];
  return (
    <section className={`card ${styles.formPart} ${styles.setUpPreview}`} aria-live="polite">
      <h2>{setUp.happens}</h2>
      <ol>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      <ArmsBar
        arms={Object.entries(draft.weights)
          .filter(([, weight]) => weight > 0)
          .map(([key, weight]) => ({ key, weight }))}
      />
    </section>
  );
}
