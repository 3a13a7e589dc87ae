import type { NewRestriction, Restriction } from "./restrictions-queries";

/** The fields of the form, as they are typed. */
export interface RestrictionForm {
  readonly user: string;
  readonly kind: Restriction["kind"];
  /** Empty: when it is imposed. */
  readonly start: string;
  readonly end: string;
  readonly statements: readonly { readonly locale: string; readonly text: string }[];
  readonly reasonCode: string;
  readonly reasonText: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

export const STATEMENT_MIN = 50;

export function emptyForm(user: string, locale: string): RestrictionForm {
  const contact = { name: "", email: "", phone: "" };
  const reason = { reasonCode: "", reasonText: "" };
  const statements = [{ locale, text: "" }];
  return { user, kind: "suspension", start: "", end: "", statements, ...reason, ...contact };
}

const length = (text: string): number => [...text.trim()].length;

/** Returns the fields that must be completed before the restriction can be imposed. */
export function missing(form: RestrictionForm): readonly (keyof RestrictionForm)[] {
  const errors: (keyof RestrictionForm)[] = [];
  if (form.user.trim() === "") errors.push("user");
  if (form.kind === "suspension" && form.end === "") errors.push("end");
  const isLong = form.statements.some(({ text }) => length(text) >= STATEMENT_MIN);
  if (!isLong || form.statements.some(({ locale }) => locale.trim() === ""))
    errors.push("statements");
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(form.reasonCode)) errors.push("reasonCode");
  if (form.reasonText.trim() === "") errors.push("reasonText");
  if (form.name.trim() === "") errors.push("name");
  if (form.email.trim() === "" && form.phone.trim() === "") errors.push("email");
  return errors;
}

/** Returns the body of the request. A termination has no end. */
export function bodyOf(form: RestrictionForm): NewRestriction {
  const filled = form.statements.filter(({ text }) => text.trim() !== "");
  const statement = Object.fromEntries(
    filled.map(({ locale, text }) => [locale.trim(), text.trim()]),
  );
  const [first] = form.statements;
  const [email, phone] = [form.email.trim(), form.phone.trim()];
  return {
    user_id: form.user.trim(),
    kind: form.kind,
    statement,
    reasons: [
      { code: form.reasonCode, text: { [first?.locale.trim() || "en"]: form.reasonText.trim() } },
    ],
    contact: { name: form.name.trim(), ...(email && { email }), ...(phone && { phone }) },
    ...(form.start && { starts_at: form.start }),
    ...(form.end && form.kind !== "termination" && { ends_at: form.end }),
  };
}
