import { Button } from "@musette/react/ui";
import { type FormEvent, useState } from "react";
import { useLanguage } from "../language/language-context";
import { Field } from "../ui/field";
import { CHARACTERS_MIN, isTooShort } from "./new-password";
import { digitsOf, OtpField } from "./otp-field";
import { codeOf, redeemLink } from "./sign-in-calls";
import { SignInErrorText } from "./sign-in-error-text";

interface SetPasswordProps {
  readonly token: string;
  readonly onDone: () => void;
}

export function SetPassword({ token, onDone }: SetPasswordProps) {
  const { texts } = useLanguage();
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [otp, setOtp] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [fieldError, setFieldError] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setError(undefined);
    const unequal = password === again ? undefined : texts.signIn.unequal;
    const wrong = isTooShort(password) ? texts.signIn.errors.password_too_short : unequal;
    setFieldError(wrong);
    if (wrong) return;
    setSending(true);
    try {
      await redeemLink(token, password, otp === undefined ? undefined : digitsOf(otp));
      onDone();
    } catch (refusal) {
      const code = codeOf(refusal);
      // `otp_required` is not shown as an error: the account has an authenticator, and its field
      // appears.
      if (code !== "otp_required") setError(refusal);
      if (code === "otp_required" || code === "otp_invalid") setOtp("");
    } finally {
      setSending(false);
    }
  }

  return (
    <>
      <p>{texts.signIn.setIntro}</p>
      <form onSubmit={submit}>
        <Field
          label={texts.signIn.setPassword}
          hint={texts.signIn.atLeast(CHARACTERS_MIN)}
          value={password}
          onChange={setPassword}
          type="password"
          autoComplete="new-password"
        />
        <Field
          label={texts.signIn.repeat}
          value={again}
          onChange={setAgain}
          type="password"
          autoComplete="new-password"
          error={fieldError}
        />
        {otp !== undefined && <OtpField value={otp} onChange={setOtp} autoFocus />}
        {error !== undefined && <SignInErrorText error={error} />}
        <Button type="submit" loading={isSending}>
          {texts.signIn.set}
        </Button>
      </form>
    </>
  );
}
