import { ChoiceField } from "../ui/choice-field";
import { Field } from "../ui/field";
import { TextArea } from "../ui/text-area";
import type { ErrorAt } from "./errors";
import { type SystemForm, withItem, withoutItem } from "./form";
import { Rows } from "./rows";
import styles from "./systems.module.css";
import { DataFields, ParameterFields, replaced } from "./text-fields";
import { useSystemsTexts } from "./texts/texts";

export interface FieldsProps {
  readonly form: SystemForm;
  readonly edit: (change: (form: SystemForm) => SystemForm) => void;
  readonly errorAt: ErrorAt;
}

/** The fields about the whole system. */
export function DescriptionFields({ form, edit, errorAt }: FieldsProps) {
  const texts = useSystemsTexts();
  const set = (change: Partial<SystemForm>) => edit((now) => ({ ...now, ...change }));
  const kinds = (["decision", "monitoring"] as const).map((value) => ({
    value,
    label: texts.kinds[value],
  }));
  const lang = form.locale || undefined;
  return (
    <>
      <Field
        label={texts.name}
        lang={lang}
        maxLength={200}
        error={errorAt("/name")}
        value={form.name}
        onChange={(name) => set({ name })}
      />
      <TextArea
        label={texts.purpose}
        hint={texts.purposeHint}
        lang={lang}
        rows={4}
        error={errorAt("/purpose")}
        value={form.purpose}
        onChange={(purpose) => set({ purpose })}
      />
      <ChoiceField
        label={texts.kind}
        value={form.kind}
        options={kinds}
        onChange={(kind) => set({ kind })}
      />
      <div className={styles.pair}>
        <Field
          label={texts.locale}
          hint={texts.localeHint}
          required={false}
          dir="ltr"
          maxLength={35}
          autoComplete="off"
          spellCheck={false}
          error={errorAt("/locale")}
          value={form.locale}
          onChange={(locale) => set({ locale })}
        />
        <Field
          label={texts.markets}
          hint={texts.marketsHint}
          required={false}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          error={marketError(errorAt)}
          value={form.markets}
          onChange={(markets) => set({ markets })}
        />
      </div>
      <Lists form={form} edit={edit} errorAt={errorAt} />
      <TextArea
        label={texts.oversight}
        hint={texts.oversightHint}
        lang={lang}
        error={errorAt("/human_oversight")}
        value={form.oversight}
        onChange={(oversight) => set({ oversight })}
      />
      <ContactFields form={form} edit={edit} errorAt={errorAt} />
    </>
  );
}

/** Returns the first error of any market. */
function marketError(errorAt: ErrorAt): string | undefined {
  const places = Array.from({ length: 100 }, (_, i) => errorAt(`/markets/${i}`));
  return errorAt("/markets") ?? places.find((error) => error !== undefined);
}

function Lists({ form, edit, errorAt }: FieldsProps) {
  const texts = useSystemsTexts();
  const set = (change: Partial<SystemForm>) => edit((now) => ({ ...now, ...change }));
  const lang = form.locale || undefined;
  const weights = (["main", "secondary"] as const).map((value) => ({
    value,
    label: texts.weights[value],
  }));
  return (
    <>
      <Rows
        title={texts.data}
        hint={texts.dataHint}
        error={errorAt("/data")}
        count={form.data.length}
        onAdd={() => edit((now) => withItem(now, "data"))}
        onRemove={(place) => edit((now) => withoutItem(now, "data", place))}
        row={(place) => (
          <DataFields
            lang={lang}
            row={form.data[place]}
            errorAt={(member) => errorAt(`/data/${place}${member}`)}
            onChange={(change) => set({ data: replaced(form.data, place, change) })}
          />
        )}
      />
      <Rows
        title={texts.parameters}
        hint={texts.parametersHint}
        error={errorAt("/parameters")}
        count={form.parameters.length}
        onAdd={() => edit((now) => withItem(now, "parameters"))}
        onRemove={(place) => edit((now) => withoutItem(now, "parameters", place))}
        row={(place) => (
          <>
            <ParameterFields
              lang={lang}
              row={form.parameters[place]}
              errorAt={(member) => errorAt(`/parameters/${place}${member}`)}
              onChange={(change) => set({ parameters: replaced(form.parameters, place, change) })}
            />
            <ChoiceField
              label={texts.weight}
              value={form.weights[place] ?? "secondary"}
              options={weights}
              onChange={(weight) => set({ weights: replaced(form.weights, place, weight) })}
            />
          </>
        )}
      />
      <Rows
        title={texts.decisions}
        hint={texts.decisionsHint}
        error={errorAt("/decisions")}
        count={form.decisions.length}
        onAdd={() => edit((now) => withItem(now, "decisions"))}
        onRemove={(place) => edit((now) => withoutItem(now, "decisions", place))}
        row={(place) => (
          <TextArea
            label={texts.decision}
            lang={lang}
            rows={2}
            error={errorAt(`/decisions/${place}`)}
            value={form.decisions[place] ?? ""}
            onChange={(text) => set({ decisions: replaced(form.decisions, place, text) })}
          />
        )}
      />
    </>
  );
}

function ContactFields({ form, edit, errorAt }: FieldsProps) {
  const texts = useSystemsTexts();
  const set = (change: Partial<SystemForm["contact"]>) =>
    edit((now) => ({ ...now, contact: { ...now.contact, ...change } }));
  return (
    <fieldset className={styles.rows}>
      <legend>{texts.contact}</legend>
      <p className="note">{texts.contactHint}</p>
      <Field
        label={texts.contactName}
        required={false}
        maxLength={200}
        autoComplete="off"
        error={errorAt("/contact") ?? errorAt("/contact/name")}
        value={form.contact.name}
        onChange={(name) => set({ name })}
      />
      <div className={styles.pair}>
        <Field
          type="email"
          label={texts.email}
          required={false}
          dir="ltr"
          maxLength={200}
          autoComplete="off"
          error={errorAt("/contact/email")}
          value={form.contact.email}
          onChange={(email) => set({ email })}
        />
        <Field
          type="tel"
          label={texts.phone}
          required={false}
          dir="ltr"
          maxLength={200}
          autoComplete="off"
          error={errorAt("/contact/phone")}
          value={form.contact.phone}
          onChange={(phone) => set({ phone })}
        />
      </div>
    </fieldset>
  );
}
