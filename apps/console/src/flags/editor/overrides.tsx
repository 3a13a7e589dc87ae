import { FieldErrors, useFieldErrors } from "../../configuration/conditions/field-errors-context";
import { unitsOf } from "../../configuration/conditions/operators";
import type { Flag, FlagsDocument, Override } from "../../configuration/document/document";
import iconButtonStyles from "../../ui/icon-button.module.css";
import quietStyles from "../../ui/quiet-button.module.css";
import { useFlagsTexts } from "../texts/texts";
import type { ChangeFlag } from "../use-flag-draft";
import styles from "./editor.module.css";
import { Section, VariationSelect } from "./section";

interface OverridesProps {
  readonly flag: Flag;
  readonly document: FlagsDocument;
  readonly change: ChangeFlag;
}

/** People who get a fixed variation, whatever the rules say. */
export function Overrides({ flag, document, change }: OverridesProps) {
  const { editor: editorTexts } = useFlagsTexts();
  const set = (update: (list: readonly Override[]) => readonly Override[]) =>
    change((current) => ({ ...current, overrides: update(current.overrides) }));
  const add = () =>
    set((list) => [
      ...list,
      { unit: "userId", id: "", variation: flag.variations[0]?.key ?? flag.defaultVariation },
    ]);
  return (
    <Section title={editorTexts.overrides} hint={editorTexts.overridesHint}>
      <ul className={styles.rows}>
        {flag.overrides.map((override, at) => (
          <OverrideRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the id is being edited
            key={at}
            it={override}
            at={at}
            flag={flag}
            units={unitsOf(document)}
            onChange={(next) => set((list) => list.with(at, next))}
            onRemove={() => set((list) => list.toSpliced(at, 1))}
          />
        ))}
      </ul>
      <button type="button" className={`${quietStyles.quiet} ${styles.add}`} onClick={add}>
        {editorTexts.addOverride}
      </button>
    </Section>
  );
}

function OverrideRow(props: {
  readonly it: Override;
  readonly at: number;
  readonly flag: Flag;
  readonly units: readonly string[];
  readonly onChange: (override: Override) => void;
  readonly onRemove: () => void;
}) {
  const { it, at, flag, units, onChange, onRemove } = props;
  const { editor: editorTexts } = useFlagsTexts();
  const isWrong = useFieldErrors(`/overrides/${at}/id`).length > 0;
  return (
    <li className={`${styles.row} ${styles.override}`}>
      <select
        aria-label={editorTexts.overrideUnit}
        value={it.unit}
        onChange={({ target }) => onChange({ ...it, unit: target.value })}
      >
        {(units.includes(it.unit) ? units : [it.unit, ...units]).map((unit) => (
          <option key={unit}>{unit}</option>
        ))}
      </select>
      <input
        aria-label={editorTexts.overrideId}
        aria-invalid={isWrong || undefined}
        placeholder={editorTexts.overrideId}
        className="mono"
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        value={it.id}
        onChange={({ target }) => onChange({ ...it, id: target.value })}
      />
      <span className={styles.inlineField}>
        <span aria-hidden="true">{editorTexts.gets}</span>
        <VariationSelect
          label={editorTexts.gets}
          value={it.variation}
          variations={flag.variations}
          onChange={(variation) => onChange({ ...it, variation })}
        />
      </span>
      <button
        type="button"
        className={iconButtonStyles.iconButton}
        aria-label={editorTexts.removeOverride(it.id)}
        onClick={onRemove}
      >
        ×
      </button>
      <FieldErrors at={`/overrides/${at}`} isDeep />
    </li>
  );
}
