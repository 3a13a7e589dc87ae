import { lazy, Suspense, useId } from "react";
import { FieldErrors, useFieldErrors } from "../../configuration/conditions/field-errors-context";
import { NumberField } from "../../configuration/conditions/operand-field";
import type { Flag, Json, Variation } from "../../configuration/document/document";
import iconButtonStyles from "../../ui/icon-button.module.css";
import quietStyles from "../../ui/quiet-button.module.css";
import { renameVariation } from "../edit-flag";
import { useFlagsTexts } from "../texts/texts";
import type { ChangeFlag } from "../use-flag-draft";
import styles from "./editor.module.css";
import { Section, VariationSelect } from "./section";

// A separate chunk with the JSON parser, which few flags need.
const JsonField = lazy(() =>
  import("./json-field").then((module) => ({ default: module.JsonField })),
);

interface VariationsProps {
  readonly flag: Flag;
  readonly change: ChangeFlag;
}

const FIRST = { boolean: false, string: "", number: 0, json: {} } as const;

/** The flag's variations, and the default for people who match no rule. */
export function Variations({ flag, change }: VariationsProps) {
  const { editor: editorTexts, types } = useFlagsTexts();
  const free = (name: string, at = 2): string =>
    flag.variations.some(({ key }) => key === name) ? free(`variation-${at}`, at + 1) : name;
  const add = () =>
    change((current) => ({
      ...current,
      variations: [...current.variations, { key: free("variation-1"), value: FIRST[current.type] }],
    }));
  return (
    <Section title={editorTexts.variations} hint={editorTexts.variationsHint(types[flag.type])}>
      <ul className={styles.variations} data-type={flag.type}>
        {flag.variations.map((variation, at) => (
          <VariationRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the key is being edited
            key={at}
            flag={flag}
            variation={variation}
            at={at}
            change={change}
          />
        ))}
      </ul>
      <FieldErrors at="/variations" />
      <button type="button" className={`${quietStyles.quiet} ${styles.add}`} onClick={add}>
        {editorTexts.addVariation}
      </button>
      <ServedVariations flag={flag} change={change} />
    </Section>
  );
}

function VariationRow(
  props: VariationsProps & { readonly variation: Variation; readonly at: number },
) {
  const { flag, variation, at, change } = props;
  const { editor: editorTexts } = useFlagsTexts();
  const pointer = `/variations/${at}`;
  const isKeyWrong = useFieldErrors(`${pointer}/key`).length > 0 || variation.key === "";
  const isValueWrong = useFieldErrors(`${pointer}/value`, true).length > 0;
  const setValue = (value: Json) =>
    change((current) => ({
      ...current,
      variations: current.variations.with(at, { key: variation.key, value }),
    }));
  return (
    <li>
      <input
        aria-label={editorTexts.variationKey}
        aria-invalid={isKeyWrong || undefined}
        className="mono"
        autoComplete="off"
        spellCheck={false}
        value={variation.key}
        onChange={({ target }) => change((current) => renameVariation(current, at, target.value))}
      />
      <ValueField
        type={flag.type}
        value={variation.value}
        isInvalid={isValueWrong}
        onChange={setValue}
      />
      <button
        type="button"
        className={iconButtonStyles.iconButton}
        aria-label={editorTexts.removeVariation(variation.key)}
        disabled={flag.variations.length === 1}
        onClick={() =>
          change((current) => ({ ...current, variations: current.variations.toSpliced(at, 1) }))
        }
      >
        ×
      </button>
      <FieldErrors at={pointer} />
      <FieldErrors at={`${pointer}/key`} />
      <FieldErrors at={`${pointer}/value`} isDeep />
    </li>
  );
}

function ValueField(props: {
  readonly type: Flag["type"];
  readonly value: Json;
  readonly isInvalid: boolean;
  readonly onChange: (value: Json) => void;
}) {
  const { type, value, isInvalid, onChange } = props;
  const { editor: editorTexts } = useFlagsTexts();
  const label = editorTexts.variationValue;
  if (type === "boolean") {
    return (
      <select
        aria-label={label}
        value={String(value)}
        onChange={({ target }) => onChange(target.value === "true")}
      >
        <option>true</option>
        <option>false</option>
      </select>
    );
  }
  if (type === "number") return <NumberField {...{ label, value, isInvalid, onChange }} />;
  if (type === "json") {
    return (
      <Suspense fallback={null}>
        <JsonField value={value} onChange={onChange} />
      </Suspense>
    );
  }
  return (
    <input
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      dir="auto"
      value={String(value)}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** Text that is not valid JSON yet remains here. The flag keeps the last valid value. */
function ServedVariations({ flag, change }: VariationsProps) {
  const { editor: editorTexts } = useFlagsTexts();
  const id = useId();
  const one = (name: "defaultVariation" | "baselineVariation", label: string, hint: string) => (
    <div className="field">
      <label htmlFor={id + name}>{label}</label>
      <VariationSelect
        id={id + name}
        label={label}
        value={flag[name]}
        variations={flag.variations}
        onChange={(key) => change((current) => ({ ...current, [name]: key }))}
      />
      <p className="note">{hint}</p>
      <FieldErrors at={`/${name}`} />
    </div>
  );
  return (
    <div className={styles.editorTriple}>
      {one("defaultVariation", editorTexts.byDefault, editorTexts.byDefaultHint)}
      <div className="field">
        <label htmlFor={`${id}off`}>{editorTexts.whenOff}</label>
        <VariationSelect
          id={`${id}off`}
          label={editorTexts.whenOff}
          value={flag.offVariation ?? ""}
          variations={flag.variations}
          onChange={(key) => change((current) => ({ ...current, offVariation: key || null }))}
        >
          <option value="">{editorTexts.ownFallback}</option>
        </VariationSelect>
        <p className="note">{editorTexts.whenOffHint}</p>
        <FieldErrors at="/offVariation" />
      </div>
      {one("baselineVariation", editorTexts.heldOut, editorTexts.heldOutHint)}
    </div>
  );
}
