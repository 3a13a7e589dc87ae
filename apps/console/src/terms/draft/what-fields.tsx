import { Checkbox } from "@musette/react/ui";
import { useId } from "react";
import { EVERYWHERE } from "../../api/grants";
import { useMay } from "../../api/use-may";
import { inLanguage } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { versionName } from "../../language/version-name";
import { Field } from "../../ui/field";
import type { PublishedTerm } from "../terms-query";
import { useTermsTexts } from "../texts/texts";
import { Choice } from "./choice";
import { withChanges } from "./draft";
import styles from "./draft.module.css";
import { fieldId } from "./errors";
import type { DraftFields } from "./fields";
import { OrderField } from "./order-field";

interface WhatFieldsProps extends DraftFields {
  readonly terms: readonly PublishedTerm[];
  readonly former: PublishedTerm | undefined;
}

export function WhatFields({ body, edit, errorAt, terms, former }: WhatFieldsProps) {
  const texts = useTermsTexts();
  const id = useId();
  const isNotice = body.kind === "notice";
  const types = [...new Set(["FREELANCER", "MARKETING", ...terms.map(({ type }) => type)])];
  return (
    <section className={`card ${styles.draftPart}`}>
      <h2>{texts.draft.what}</h2>
      <ReplacesField {...{ body, edit, errorAt, terms, former }} />
      {former ? (
        <p className={styles.draftSaid}>
          <span>{texts.type}</span>
          <bdi className="mono">{body.type}</bdi>
          <span className="note">{texts.draft.typeFixed}</span>
        </p>
      ) : (
        <>
          <Field
            label={texts.type}
            hint={texts.draft.typeHint}
            error={errorAt("/type")}
            id={fieldId("/type")}
            value={body.type}
            list={`${id}types`}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={32}
            onChange={(type) => edit((now) => withChanges(now, { type: type.toUpperCase() }))}
          />
          <datalist id={`${id}types`}>
            {types.map((type) => (
              <option key={type} value={type} />
            ))}
          </datalist>
        </>
      )}
      <KindField {...{ body, edit, errorAt, former }} />
      {!isNotice && (
        <label className={styles.draftCheck} htmlFor={fieldId("/mandatory")}>
          <Checkbox
            id={fieldId("/mandatory")}
            checked={body.mandatory}
            onToggle={() => edit((now) => withChanges(now, { mandatory: !now.mandatory }))}
            aria-describedby={`${id}mandatory`}
          />
          <span>
            {texts.draft.mandatoryLabel}
            <span id={`${id}mandatory`} className={`${styles.draftCheckHint} note`}>
              {texts.draft.mandatoryHint}
            </span>
            {errorAt("/mandatory") && <span className="failure">{errorAt("/mandatory")}</span>}
          </span>
        </label>
      )}
      <Field
        label={texts.draft.label}
        hint={texts.draft.labelHint}
        error={errorAt("/label")}
        id={fieldId("/label")}
        required={false}
        maxLength={40}
        autoComplete="off"
        value={body.label ?? ""}
        onChange={(label) => edit((now) => withChanges(now, { label: label || undefined }))}
      />
      {!isNotice && <OrderField body={body} edit={edit} terms={terms} />}
    </section>
  );
}

/** Chooses whether riders agree to the text. A version has the kind of the one that it replaces. */
function KindField({ body, edit, errorAt, former }: Omit<WhatFieldsProps, "terms">) {
  const { draft, ...texts } = useTermsTexts();
  const kind = body.kind ?? "consent";
  if (former) {
    return (
      <p className={styles.draftSaid}>
        <span>{draft.fields.kind}</span>
        <span>{kind === "notice" ? texts.notice : texts.consent}</span>
        {errorAt("/kind") && <span className="failure">{errorAt("/kind")}</span>}
      </p>
    );
  }
  const choose = (value: string) =>
    edit((now) =>
      value === "notice"
        ? withChanges(now, { kind: "notice", mandatory: false, display_order: undefined })
        : withChanges(now, { kind: undefined }),
    );
  return (
    <Choice
      legend={draft.fields.kind}
      id={fieldId("/kind")}
      chosen={kind}
      onChoose={choose}
      options={[
        { value: "consent", label: texts.consent, hint: draft.consentHint },
        { value: "notice", label: texts.notice, hint: draft.noticeHint },
      ]}
    />
  );
}

/** Chooses the version to replace, among those that nothing has replaced yet. */
function ReplacesField({ body, edit, errorAt, terms, former }: WhatFieldsProps) {
  const texts = useTermsTexts();
  const { language } = useLanguage();
  const error = errorAt("/replaces");
  const may = useMay();
  // Terms of broader markets are visible, but cannot be replaced by this person.
  const newest = terms.filter(
    (term) => term === former || (!term.replaced_by && may("terms", term.market ?? EVERYWHERE)),
  );
  const choose = (value: string) => {
    const chosen = newest.find(({ id }) => String(id) === value);
    edit((now) =>
      chosen
        ? withChanges(now, {
            replaces: chosen.id,
            type: chosen.type,
            mandatory: chosen.mandatory,
            kind: chosen.kind === "notice" ? chosen.kind : undefined,
            display_order: chosen.display_order,
            // It keeps the market of the version before it.
            market: undefined,
            instead_of: undefined,
          })
        : withChanges(now, { replaces: undefined, minor: false }),
    );
  };
  return (
    <div className="field">
      <label htmlFor={fieldId("/replaces")}>{texts.draft.replaces}</label>
      <select
        id={fieldId("/replaces")}
        value={body.replaces ?? ""}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${fieldId("/replaces")}-hint`}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{texts.draft.replacesNothing}</option>
        {newest.map((term) => (
          <option key={term.id} value={term.id}>
            {`${inLanguage(term.variants, language.tag)?.title} · ${texts.version(versionName(term, language.tag))}`}
          </option>
        ))}
      </select>
      <p id={`${fieldId("/replaces")}-hint`} className={error ? "failure" : "note"}>
        {error ?? texts.draft.replacesHint}
      </p>
    </div>
  );
}
