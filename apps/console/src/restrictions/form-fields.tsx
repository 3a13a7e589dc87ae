import { Button } from "@musette/react/ui";
import { timeZone } from "../language/dates";
import { ChoiceField } from "../ui/choice-field";
import { Field } from "../ui/field";
import fieldStyles from "../ui/fields.module.css";
import { InstantField } from "../ui/instant-field";
import { TextArea } from "../ui/text-area";
import type { RestrictionForm } from "./form";
import styles from "./restrictions.module.css";
import { useRestrictionsTexts } from "./texts/texts";

interface Props {
  readonly form: RestrictionForm;
  readonly errors: readonly (keyof RestrictionForm)[];
  readonly onChange: (form: RestrictionForm) => void;
}

const AS_TYPED = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;
const KINDS = ["limitation", "suspension", "termination"] as const;

export function FormFields({ form, errors, onChange }: Props) {
  const texts = useRestrictionsTexts();
  const change = (part: Partial<RestrictionForm>) => onChange({ ...form, ...part });
  const error = (name: keyof RestrictionForm) =>
    errors.includes(name) ? texts.errors[name as keyof typeof texts.errors] : undefined;
  return (
    <>
      <Field
        label={texts.user}
        {...AS_TYPED}
        error={error("user")}
        value={form.user}
        onChange={(user) => change({ user })}
      />
      <ChoiceField
        label={texts.kind}
        hint={texts.kindHints[form.kind]}
        value={form.kind}
        options={KINDS.map((value) => ({ value, label: texts.kinds[value] }))}
        onChange={(kind) => change({ kind })}
      />
      <div className={styles.pair}>
        <Instant
          label={texts.startOptional}
          value={form.start}
          onChange={(start) => change({ start })}
        />
        {form.kind !== "termination" && (
          <Instant
            label={form.kind === "suspension" ? texts.until : texts.endOptional}
            value={form.end}
            error={error("end")}
            onChange={(end) => change({ end })}
          />
        )}
      </div>
      <p className="note">{texts.zone(timeZone())}</p>
      <Statements form={form} error={error("statements")} onChange={change} />
      <div className={styles.pair}>
        <Field
          label={texts.reasonCode}
          hint={texts.reasonCodeHint}
          dir="ltr"
          {...AS_TYPED}
          maxLength={64}
          error={error("reasonCode")}
          value={form.reasonCode}
          onChange={(reasonCode) => change({ reasonCode })}
        />
        <Field
          label={texts.reasonText}
          maxLength={1000}
          error={error("reasonText")}
          value={form.reasonText}
          onChange={(reasonText) => change({ reasonText })}
        />
      </div>
      <div className={styles.pair}>
        <Field
          label={texts.contactName}
          maxLength={200}
          error={error("name")}
          value={form.name}
          onChange={(name) => change({ name })}
        />
        <Field
          label={texts.email}
          type="email"
          required={false}
          maxLength={200}
          error={error("email")}
          value={form.email}
          onChange={(email) => change({ email })}
        />
        <Field
          label={texts.phone}
          type="tel"
          required={false}
          maxLength={200}
          value={form.phone}
          onChange={(phone) => change({ phone })}
        />
      </div>
    </>
  );
}

/** A point in time with a visible label. */
function Instant(props: {
  readonly label: string;
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (instant: string) => void;
}) {
  const { label, value, error, onChange } = props;
  return (
    <div className="field">
      <span className={fieldStyles.label} aria-hidden="true">
        {label}
      </span>
      <InstantField
        label={label}
        value={value}
        isInvalid={error !== undefined}
        onChange={onChange}
      />
      {error && (
        <p className="failure" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** The statement to the rider in one or more languages. */
function Statements(props: {
  readonly form: RestrictionForm;
  readonly error: string | undefined;
  readonly onChange: (part: Pick<RestrictionForm, "statements">) => void;
}) {
  const texts = useRestrictionsTexts();
  const { statements } = props.form;
  const change = (at: number, part: Partial<(typeof statements)[number]>) =>
    props.onChange({
      statements: statements.map((one, index) => (index === at ? { ...one, ...part } : one)),
    });
  return (
    <>
      {statements.map(({ locale, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added, and have no other identity
        <div key={index} className={styles.statement}>
          <Field
            label={texts.language}
            {...AS_TYPED}
            dir="ltr"
            maxLength={35}
            value={locale}
            onChange={(tag) => change(index, { locale: tag })}
          />
          <TextArea
            label={texts.statement}
            hint={texts.statementHint}
            error={index === 0 ? props.error : undefined}
            rows={4}
            lang={locale}
            value={text}
            onChange={(value) => change(index, { text: value })}
          />
        </div>
      ))}
      <Button
        kind="secondary"
        className={styles.back}
        onClick={() => props.onChange({ statements: [...statements, { locale: "", text: "" }] })}
      >
        {texts.addLanguage}
      </Button>
    </>
  );
}
