import { Button } from "@musette/react/ui";
import { useState } from "react";
import { useLanguage } from "../language/language-context";
import { Field } from "../ui/field";
import type { FieldsProps } from "./description-fields";
import type { ErrorAt } from "./errors";
import { emptyTranslation, type SystemForm, type Translation } from "./form";
import { languageName } from "./language-name";
import styles from "./systems.module.css";
import { TranslatedFields } from "./text-fields";
import { useSystemsTexts } from "./texts/texts";

/** The translations of a description, each in its own fold. */
export function Translations({ form, edit, errorAt }: FieldsProps) {
  const texts = useSystemsTexts();
  const remove = (tag: string) =>
    edit(({ texts: { [tag]: _, ...others }, ...now }) => ({ ...now, texts: others }));
  return (
    <fieldset className={styles.rows}>
      <legend>{texts.translations}</legend>
      <p className="note">{texts.translationsHint}</p>
      {Object.entries(form.texts).map(([tag, value]) => (
        <TranslationFold
          key={tag}
          tag={tag}
          value={value}
          errorAt={errorAt}
          onRemove={() => remove(tag)}
          onChange={(change) =>
            edit((now) => ({
              ...now,
              texts: { ...now.texts, [tag]: change(now.texts[tag] ?? value) },
            }))
          }
        />
      ))}
      <AddTranslation
        taken={Object.keys(form.texts)}
        onAdd={(tag) =>
          edit((now: SystemForm) => ({
            ...now,
            texts: { ...now.texts, [tag]: emptyTranslation(now) },
          }))
        }
      />
    </fieldset>
  );
}

interface TranslationFoldProps {
  readonly tag: string;
  readonly value: Translation;
  readonly errorAt: ErrorAt;
  readonly onRemove: () => void;
  readonly onChange: (change: (now: Translation) => Translation) => void;
}

function TranslationFold({ tag, value, errorAt, onRemove, onChange }: TranslationFoldProps) {
  const texts = useSystemsTexts();
  const name = languageName(tag, useLanguage().language.tag);
  // A translation that was just added begins open. It must not close while a name is typed.
  const [beginsOpen] = useState(value.name === "");
  const pointer = `/texts/${tag}`;
  const error = errorAt(pointer);
  return (
    <details className={styles.fold} open={beginsOpen}>
      <summary>{name}</summary>
      <div className={styles.fields}>
        {error && (
          <p className="failure" role="alert">
            {error}
          </p>
        )}
        <TranslatedFields
          tag={tag}
          value={value}
          errorAt={(member) => errorAt(pointer + member)}
          onChange={onChange}
        />
        <Button kind="secondary" onClick={onRemove}>
          {texts.removeTranslation(name)}
        </Button>
      </div>
    </details>
  );
}

function AddTranslation(props: {
  readonly taken: readonly string[];
  readonly onAdd: (tag: string) => void;
}) {
  const texts = useSystemsTexts();
  const [typed, setTyped] = useState("");
  const tag = typed.trim();
  const isTaken = props.taken.some((taken) => taken.toLowerCase() === tag.toLowerCase());
  const isTag = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(tag);
  return (
    <div className={styles.add}>
      <Field
        label={texts.languageTag}
        hint={texts.localeHint}
        error={isTaken ? texts.errors.duplicate : undefined}
        required={false}
        dir="ltr"
        maxLength={35}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={setTyped}
      />
      <Button
        kind="secondary"
        disabled={!isTag || isTaken}
        onClick={() => {
          props.onAdd(tag);
          setTyped("");
        }}
      >
        {texts.addTranslation}
      </Button>
    </div>
  );
}
