import { useId, useState } from "react";
import { FieldErrors } from "../../configuration/conditions/field-errors-context";
import type { Flag, FlagsDocument, Prerequisite } from "../../configuration/document/document";
import { FlagLink } from "../../configuration/document/flag-link";
import fieldStyles from "../../ui/fields.module.css";
import iconButtonStyles from "../../ui/icon-button.module.css";
import quietStyles from "../../ui/quiet-button.module.css";
import { prerequisiteCycle } from "../edit-flag";
import { useFlagsTexts } from "../texts/texts";
import type { ChangeFlag } from "../use-flag-draft";
import styles from "./editor.module.css";
import { Section } from "./section";

interface PrerequisitesProps {
  readonly flag: Flag;
  readonly document: FlagsDocument;
  readonly change: ChangeFlag;
}

export function Prerequisites({ flag, document, change }: PrerequisitesProps) {
  const { editor: editorTexts } = useFlagsTexts();
  const circle = prerequisiteCycle(document, flag);
  const set = (update: (list: readonly Prerequisite[]) => readonly Prerequisite[]) =>
    change((current) => ({ ...current, prerequisites: update(current.prerequisites) }));
  return (
    <Section title={editorTexts.prerequisites} hint={editorTexts.prerequisitesHint}>
      <ul className={styles.rows}>
        {flag.prerequisites.map((prerequisite, at) => (
          <PrerequisiteRow
            key={prerequisite.flag}
            it={prerequisite}
            at={at}
            of={document.flags.find(({ key }) => key === prerequisite.flag)}
            onChange={(next) => set((list) => list.with(at, next))}
            onRemove={() => set((list) => list.toSpliced(at, 1))}
          />
        ))}
      </ul>
      {circle && (
        <p className={fieldStyles.error} role="alert">
          {editorTexts.circle} <bdi>{circle.join(" → ")}</bdi>
        </p>
      )}
      {!circle && <FieldErrors at="/prerequisites" />}
      <AddPrerequisite
        flags={document.flags.filter(
          ({ key }) =>
            key !== flag.key &&
            !flag.prerequisites.some((prerequisite) => prerequisite.flag === key),
        )}
        onAdd={(other) =>
          set((list) => [...list, { flag: other.key, in: [other.variations[0]?.key ?? ""] }])
        }
      />
    </Section>
  );
}

function PrerequisiteRow(props: {
  readonly it: Prerequisite;
  readonly at: number;
  readonly of: Flag | undefined;
  readonly onChange: (prerequisite: Prerequisite) => void;
  readonly onRemove: () => void;
}) {
  const { it, at, of, onChange, onRemove } = props;
  const { editor: editorTexts } = useFlagsTexts();
  const keys = [...new Set([...(of?.variations.map(({ key }) => key) ?? []), ...it.in])];
  const toggle = (key: string) =>
    onChange({
      ...it,
      in: it.in.includes(key) ? it.in.filter((one) => one !== key) : [...it.in, key],
    });
  return (
    <li className={styles.row}>
      <FlagLink flag={it.flag} />
      <fieldset className={styles.variationChips}>
        <legend>{editorTexts.mustServe}</legend>
        {keys.map((key) => (
          <label key={key} className={styles.chipCheck}>
            <input type="checkbox" checked={it.in.includes(key)} onChange={() => toggle(key)} />
            <bdi>{key}</bdi>
          </label>
        ))}
      </fieldset>
      <button
        type="button"
        className={iconButtonStyles.iconButton}
        aria-label={editorTexts.removePrerequisite(it.flag)}
        onClick={onRemove}
      >
        ×
      </button>
      <FieldErrors at={`/prerequisites/${at}`} isDeep />
    </li>
  );
}

const OFFERED = 50;

/** A search field with matching flags below it, because there may be ten thousand. */
function AddPrerequisite(props: {
  readonly flags: readonly Flag[];
  readonly onAdd: (flag: Flag) => void;
}) {
  const { editor: editorTexts } = useFlagsTexts();
  const [typed, setTyped] = useState("");
  const id = useId();
  const fitting = props.flags.filter(({ key }) => key.includes(typed.trim())).slice(0, OFFERED);
  const exact = props.flags.find(({ key }) => key === typed.trim());
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        if (!exact) return;
        props.onAdd(exact);
        setTyped("");
      }}
    >
      <input
        aria-label={editorTexts.prerequisiteFlag}
        placeholder={editorTexts.prerequisiteFlag}
        list={id}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <datalist id={id}>
        {fitting.map(({ key }) => (
          <option key={key} value={key} />
        ))}
      </datalist>
      <button type="submit" className={quietStyles.quiet} disabled={!exact}>
        {editorTexts.addPrerequisite}
      </button>
    </form>
  );
}
