import type { FlagsDocument } from "../configuration/document/document";
import styles from "../configuration/drafts/set-up.module.css";
import { ArmsBar } from "../results/arms-bar";
import { isolated } from "../results/use-figures";
import { type Draft, flagsOf } from "./draft";
import { useHoldoutsTexts } from "./texts/texts";
import { useHoldoutSummary } from "./use-holdout-summary";

/** Describes the holdout as text while it is being edited. */
export function EditPreview({
  document,
  draft,
}: {
  readonly document: FlagsDocument;
  readonly draft: Draft;
}) {
  const texts = useHoldoutsTexts();
  const { form } = texts;
  const { percent, named } = useHoldoutSummary();
  const { mode, flags, exceptFlags, tags, scope } = draft;
  const withheld = flagsOf(document, { scope, applies: { mode, flags, exceptFlags, tags } });
  const size = Math.min(Math.max(draft.percent || 0, 0), 50);
  const lines = [
    form.heldOut(percent(size), isolated(draft.unit)),
    form.compared(percent(size)),
    form.others(percent(100 - 2 * size)),
    withheld.length > 0
      ? form.holdsBack(withheld.length, named(withheld.map(({ key }) => key)))
      : form.holdsNothing,
    form.beats,
  ];
  return (
    <section className={`card ${styles.formPart} ${styles.setUpPreview}`} aria-live="polite">
      <h2>{form.happens}</h2>
      <ArmsBar
        arms={[
          { key: texts.groups.HELD_OUT, weight: size },
          { key: texts.groups.COMPARISON, weight: size },
          { key: texts.rest, weight: 100 - 2 * size },
        ]}
      />
      <ol>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
    </section>
  );
}
