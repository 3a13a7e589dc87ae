import { ChoiceField } from "../ui/choice-field";
import { Field } from "../ui/field";
import { TextArea } from "../ui/text-area";
import type { FaultAt } from "./faults";
import { type SystemForm, withItem, withoutItem } from "./form";
import { Rows } from "./rows";
import styles from "./systems.module.css";
import { DataFields, ParameterFields, replaced } from "./text-fields";
import { useSystemsTexts } from "./texts/texts";

export interface FieldsProps {
  readonly form: SystemForm;
  readonly edit: (change: (form: SystemForm) => SystemForm) => void;
  readonly faultAt: FaultAt;
}

/** The fields about the whole system. */
export function DescriptionFields({ form, edit, faultAt }: FieldsProps) {
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
        fault={faultAt("/name")}
        value={form.name}
        onChange={(name) => set({ name })}
      />
      <TextArea
        label={texts.purpose}
        hint={texts.purposeHint}
        lang={lang}
        rows={4}
        fault={faultAt("/purpose")}
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
          fault={faultAt("/locale")}
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
          fault={marketFault(faultAt)}
          value={form.markets}
          onChange={(markets) => set({ markets })}
        />
      </div>
      <Lists form={form} edit={edit} faultAt={faultAt} />
      <TextArea
        label={texts.oversight}
        hint={texts.oversightHint}
        lang={lang}
        fault={faultAt("/human_oversight")}
        value={form.oversight}
        onChange={(oversight) => set({ oversight })}
      />
      <ContactFields form={form} edit={edit} faultAt={faultAt} />
    </>
  );
}

/** Returns the first error of any market. */
function marketFault(faultAt: FaultAt): string | undefined {
  const places = Array.from({ length: 100 }, (_, i) => faultAt(`/markets/${i}`));
  return faultAt("/markets") ?? places.find((fault) => fault !== undefined);
}

function Lists({ form, edit, faultAt }: FieldsProps) {
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
        fault={faultAt("/data")}
        count={form.data.length}
        onAdd={() => edit((now) => withItem(now, "data"))}
        onRemove={(place) => edit((now) => withoutItem(now, "data", place))}
        row={(place) => (
          <DataFields
            lang={lang}
            row={form.data[place]}
            faultAt={(member) => faultAt(`/data/${place}${member}`)}
            onChange={(change) => set({ data: replaced(form.data, place, change) })}
          />
        )}
      />
      <Rows
        title={texts.parameters}
        hint={texts.parametersHint}
        fault={faultAt("/parameters")}
        count={form.parameters.length}
        onAdd={() => edit((now) => withItem(now, "parameters"))}
        onRemove={(place) => edit((now) => withoutItem(now, "parameters", place))}
        row={(place) => (
          <>
            <ParameterFields
              lang={lang}
              row={form.parameters[place]}
              faultAt={(member) => faultAt(`/parameters/${place}${member}`)}
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
        fault={faultAt("/decisions")}
        count={form.decisions.length}
        onAdd={() => edit((now) => withItem(now, "decisions"))}
        onRemove={(place) => edit((now) => withoutItem(now, "decisions", place))}
        row={(place) => (
          <TextArea
            label={texts.decision}
            lang={lang}
            rows={2}
            fault={faultAt(`/decisions/${place}`)}
            value={form.decisions[place] ?? ""}
            onChange={(text) => set({ decisions: replaced(form.decisions, place, text) })}
          />
        )}
      />
    </>
  );
}

function ContactFields({ form, edit, faultAt }: FieldsProps) {
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
        fault={faultAt("/contact") ?? faultAt("/contact/name")}
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
          fault={faultAt("/contact/email")}
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
          fault={faultAt("/contact/phone")}
          value={form.contact.phone}
          onChange={(phone) => set({ phone })}
        />
      </div>
    </fieldset>
  );
}
