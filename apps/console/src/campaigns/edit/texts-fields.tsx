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
import { escaped, type FaultAt } from "./faults";
import type { TextForm } from "./form";

const BODY_MAX = 10_000;

/** The texts by language, with the placeholders that they may have. */
export function TextsFields({ form, edit, faultAt, term }: CampaignFieldsProps) {
  const texts = useCampaignsTexts();
  const fault = faultAt("/texts");
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
              faultAt={(member) => faultAt(`/texts/${escaped(locale)}${member}`)}
              onRemove={() => remove(locale)}
              onChange={(text) =>
                edit((now) => ({ ...now, texts: { ...now.texts, [locale]: text } }))
              }
            />
          </li>
        ))}
      </ul>
      {fault && (
        <p className="failure" role="alert">
          {fault}
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
  readonly faultAt: FaultAt;
  readonly onRemove: () => void;
  readonly onChange: (text: TextForm) => void;
}

function TextFields({ locale, text, faultAt, onRemove, onChange }: TextFieldsProps) {
  const texts = useCampaignsTexts();
  const name = languageName(locale, useLanguage().language.tag);
  const fault = faultAt("");
  const placeholderFault = (of: string) =>
    unknownPlaceholder(of) === undefined ? undefined : texts.faults.unknown_placeholder;
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
        fault={placeholderFault(text.subject) ?? faultAt("/subject")}
        value={text.subject}
        onChange={(subject) => onChange({ ...text, subject })}
      />
      <TextArea
        label={texts.body}
        lang={locale}
        rows={5}
        maxLength={BODY_MAX}
        fault={placeholderFault(text.body) ?? faultAt("/body")}
        value={text.body}
        onChange={(body) => onChange({ ...text, body })}
      />
      {fault && (
        <p className="failure" role="alert">
          {fault}
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
        fault={isTaken ? texts.faults.duplicate : undefined}
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
