import { Button } from "@musette/react/ui";
import { useState } from "react";
import { languageName } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { toasts } from "../../toast/toasts";
import { Confirm } from "../../ui/confirm/confirm";
import { Field } from "../../ui/field";
import { useTermsTexts } from "../texts/texts";
import { AddLanguage } from "./add-language";
import { DocumentField } from "./document-field";
import { changedVariant, type DraftVariant, withChanges } from "./draft";
import styles from "./draft.module.css";
import type { DraftKeeper } from "./draft-keeper";
import { fieldId } from "./errors";
import type { DraftFields } from "./fields";

interface LanguageFieldsProps extends DraftFields {
  readonly keeper: DraftKeeper;
}

export function LanguageFields(props: LanguageFieldsProps) {
  const draftTexts = useTermsTexts().draft;
  const { body, edit, errorAt } = props;
  const error = errorAt("/variants");
  return (
    <section className={`card ${styles.draftPart}`}>
      <h2>{draftTexts.languages}</h2>
      <p className="note">{draftTexts.languagesHint}</p>
      {body.variants.length === 0 && <p>{draftTexts.noLanguages}</p>}
      {body.variants.map((variant, index) => (
        <OneLanguage key={variant.locale} {...props} variant={variant} index={index} />
      ))}
      <AddLanguage
        taken={body.variants.map(({ locale }) => locale)}
        onAdd={(locale) =>
          edit((now) => withChanges(now, { variants: [...now.variants, { locale, title: "" }] }))
        }
      />
      {error && (
        <p className="failure" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}

interface OneLanguageProps extends LanguageFieldsProps {
  readonly variant: DraftVariant;
  readonly index: number;
}

function OneLanguage(props: OneLanguageProps) {
  const draftTexts = useTermsTexts().draft;
  const { language } = useLanguage();
  const { body, edit, errorAt, variant, index } = props;
  const { locale } = variant;
  const name = languageName(locale, language.tag);
  const others = body.variants.filter((variant) => variant.locale !== locale);
  return (
    <section className={styles.draftLanguage} aria-label={name}>
      <header>
        <h3>
          {name} <bdi className="mono note">{locale}</bdi>
        </h3>
        {index === 0 ? (
          <span className="chip">{draftTexts.default}</span>
        ) : (
          <Button
            kind="quiet"
            onClick={() => edit((now) => withChanges(now, { variants: [variant, ...others] }))}
          >
            {draftTexts.makeDefault}
          </Button>
        )}
      </header>
      <Field
        label={draftTexts.titleField}
        error={errorAt(`/variants/${index}/title`) ?? errorAt(`/variants/${index}/locale`)}
        id={fieldId(`/variants/${index}/title`)}
        lang={locale}
        maxLength={200}
        value={variant.title}
        onChange={(title) => edit((now) => changedVariant(now, locale, { title }))}
      />
      {body.replaces !== undefined && (index > 0 || variant.summary) && (
        <Field
          label={draftTexts.summary}
          hint={draftTexts.summaryInHint}
          error={errorAt(`/variants/${index}/summary`)}
          id={fieldId(`/variants/${index}/summary`)}
          lang={locale}
          required={false}
          maxLength={200}
          value={variant.summary ?? ""}
          onChange={(text) =>
            edit((now) => changedVariant(now, locale, { summary: text || undefined }))
          }
        />
      )}
      <DocumentField
        keeper={props.keeper}
        variant={variant}
        name={name}
        id={fieldId(`/variants/${index}/document`)}
        error={errorAt(`/variants/${index}/document`)}
      />
      <div className={styles.draftLanguageEnd}>
        <RemoveLanguage body={body} edit={edit} variant={variant} name={name} />
      </div>
    </section>
  );
}

interface RemoveLanguageProps extends Pick<DraftFields, "body" | "edit"> {
  readonly variant: DraftVariant;
  readonly name: string;
}

/**
 * Removes a language. It can be undone, except for a document: the server keeps it only while the
 * draft refers to it.
 */
function RemoveLanguage({ body, edit, variant, name }: RemoveLanguageProps) {
  const draftTexts = useTermsTexts().draft;
  const [isAsking, setAsking] = useState(false);
  const remove = (undo?: () => void) => {
    const { locale } = variant;
    edit((now) =>
      withChanges(now, { variants: now.variants.filter((variant) => variant.locale !== locale) }),
    );
    toasts.say(draftTexts.removed(name), undo);
  };
  const index = body.variants.indexOf(variant);
  // Restores only this language: newer text in the others remains.
  const putBack = () =>
    edit((now) => withChanges(now, { variants: now.variants.toSpliced(index, 0, variant) }));
  return (
    <>
      <Button kind="quiet" onClick={() => (variant.document ? setAsking(true) : remove(putBack))}>
        {draftTexts.removeLanguage(name)}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={draftTexts.removeTitle(name)}
        action={draftTexts.removeLanguage(name)}
        isDangerous
        onConfirm={async () => remove()}
      >
        <p>{draftTexts.removeText}</p>
      </Confirm>
    </>
  );
}
