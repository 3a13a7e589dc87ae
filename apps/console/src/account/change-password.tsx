import { Button } from "@musette/react/ui";
import { type FormEvent, useState } from "react";
import { useLanguage } from "../language/language-context";
import { CHARACTERS_MIN, isTooShort } from "../sign-in/new-password";
import { digitsOf, OtpField } from "../sign-in/otp-field";
import { codeOf } from "../sign-in/sign-in-calls";
import { toasts } from "../toast/toasts";
import { Field } from "../ui/field";
import sheetStyles from "../ui/sheet.module.css";
import styles from "./account.module.css";
import { changePassword } from "./account-calls";
import { ReauthenticationError } from "./reauthentication-error";
import { useAccountTexts } from "./texts/texts";

const EMPTY = { current: "", password: "", again: "" };

/**
 * Changes the password. The current password, and the authenticator code if there is one, prove the
 * person's identity.
 */
export function ChangePassword() {
  const accountTexts = useAccountTexts();
  const { texts } = useLanguage();
  const [typed, setTyped] = useState(EMPTY);
  const [otp, setOtp] = useState<string>();
  const [fieldError, setFieldError] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const change = (name: keyof typeof EMPTY) => (value: string) =>
    setTyped((former) => ({ ...former, [name]: value }));

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const { current, password, again } = typed;
    const unequal = password === again ? undefined : texts.signIn.unequal;
    const wrong = isTooShort(password) ? texts.signIn.errors.password_too_short : unequal;
    setFieldError(wrong);
    setError(undefined);
    if (wrong) return;
    setSending(true);
    try {
      await changePassword(current, password, otp === undefined ? undefined : digitsOf(otp));
      setTyped(EMPTY);
      setOtp(undefined);
      toasts.say(accountTexts.changed);
    } catch (refusal) {
      const code = codeOf(refusal);
      // `otp_required` is not shown as an error: the current password was correct, and the next
      // field appears.
      if (code !== "otp_required") setError(refusal);
      if (code === "otp_required" || code === "otp_invalid") setOtp("");
    } finally {
      setSending(false);
    }
  }

  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{accountTexts.passwordTitle}</h2>
      <p className="note">{accountTexts.passwordHint}</p>
      <form className={styles.form} onSubmit={submit}>
        <Field
          label={accountTexts.current}
          value={typed.current}
          onChange={change("current")}
          type="password"
          autoComplete="current-password"
        />
        <Field
          label={texts.signIn.setPassword}
          hint={texts.signIn.atLeast(CHARACTERS_MIN)}
          value={typed.password}
          onChange={change("password")}
          type="password"
          autoComplete="new-password"
        />
        <Field
          label={texts.signIn.repeat}
          value={typed.again}
          onChange={change("again")}
          type="password"
          autoComplete="new-password"
          error={fieldError}
        />
        {otp !== undefined && <OtpField value={otp} onChange={setOtp} autoFocus />}
        {error !== undefined && <ReauthenticationError error={error} />}
        <div>
          <Button type="submit" loading={isSending}>
            {accountTexts.change}
          </Button>
        </div>
      </form>
    </section>
  );
}
