import { Button } from "@musette/react/ui";
import { useState } from "react";
import { languageName } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { Field } from "../../ui/field";
import { Icon } from "../../ui/icon";
import iconButtonStyles from "../../ui/icon-button.module.css";
import { TextArea } from "../../ui/text-area";
import styles from "../campaigns.module.css";
import { PLACEHOLDERS, unknownPlaceholder } from "../template";
import { useCampaignsTexts } from "../texts/texts";
import type { CampaignFieldsProps } from "./audience-fields";
import { defaultText } from "./default-texts";
import { type ErrorAt, escaped } from "./errors";
import type { TextForm } from "./form";

const BODY_MAX = 10_000;

/** The texts by language, with the placeholders that they may have. */
export function TextsFields({ form, edit, errorAt, term }: CampaignFieldsProps) {
  const texts = useCampaignsTexts();
  const error = errorAt("/texts");
  const locales = Object.keys(form.texts);
  const remove = (locale: string) =>
    edit((now) => {
      const { [locale]: _removed, ...others } = now.texts;
      return { ...now, texts: others };
    });
  return (
    <section className={`card ${styles.section}`}>
      <h2>{texts.textsTitle}</h2>
      <p className="note">{texts.textsHint}</p>
      <ul className={styles.placeholders} aria-label={texts.placeholders}>
        {PLACEHOLDERS.map((name) => (
          <li key={name}>
            <code dir="ltr">{`{{${name}}}`}</code>{" "}
            <span className="note">{texts.placeholderNames[name]}</span>
          </li>
        ))}
      </ul>
      <ul className={styles.rows}>
        {locales.map((locale) => (
          <li key={locale} className={styles.row}>
            <TextFields
              locale={locale}
              text={form.texts[locale] ?? { subject: "", body: "" }}
              errorAt={(member) => errorAt(`/texts/${escaped(locale)}${member}`)}
              onRemove={() => remove(locale)}
              onChange={(text) =>
                edit((now) => ({ ...now, texts: { ...now.texts, [locale]: text } }))
              }
            />
          </li>
        ))}
      </ul>
      {error && (
        <p className="failure" role="alert">
          {error}
        </p>
      )}
      <AddLanguage
        taken={locales}
        onAdd={(locale) =>
          edit((now) => ({
            ...now,
            texts: { ...now.texts, [locale]: defaultText(locale, term?.kind === "notice") },
          }))
        }
      />
    </section>
  );
}

interface TextFieldsProps {
  readonly locale: string;
  readonly text: TextForm;
  readonly errorAt: ErrorAt;
  readonly onRemove: () => void;
  readonly onChange: (text: TextForm) => void;
}

function TextFields({ locale, text, errorAt, onRemove, onChange }: TextFieldsProps) {
  const texts = useCampaignsTexts();
  const name = languageName(locale, useLanguage().language.tag);
  const error = errorAt("");
  const placeholderError = (of: string) =>
    unknownPlaceholder(of) === undefined ? undefined : texts.errors.unknown_placeholder;
  return (
    <>
      <div className={styles.rowHead}>
        <h3>{name}</h3>
        <button
          type="button"
          className={iconButtonStyles.iconButton}
          aria-label={texts.removeLanguage(name)}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      </div>
      <Field
        label={texts.subject}
        lang={locale}
        maxLength={200}
        autoComplete="off"
        error={placeholderError(text.subject) ?? errorAt("/subject")}
        value={text.subject}
        onChange={(subject) => onChange({ ...text, subject })}
      />
      <TextArea
        label={texts.body}
        lang={locale}
        rows={5}
        maxLength={BODY_MAX}
        error={placeholderError(text.body) ?? errorAt("/body")}
        value={text.body}
        onChange={(body) => onChange({ ...text, body })}
      />
      {error && (
        <p className="failure" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

function AddLanguage(props: {
  readonly taken: readonly string[];
  readonly onAdd: (locale: string) => void;
}) {
  const texts = useCampaignsTexts();
  const [typed, setTyped] = useState("");
  const locale = typed.trim();
  const isTaken = props.taken.some((taken) => taken.toLowerCase() === locale.toLowerCase());
  const isTag = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(locale);
  return (
    <div className={styles.add}>
      <Field
        label={texts.languageTag}
        hint={texts.languageHint}
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
          props.onAdd(locale);
          setTyped("");
        }}
      >
        {texts.addLanguage}
      </Button>
    </div>
  );
}
