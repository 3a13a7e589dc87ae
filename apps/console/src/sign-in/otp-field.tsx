import { useLanguage } from "../language/language-context";
import { Field } from "../ui/field";

interface OtpFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}

/** A field for the six digits of an authenticator. People often type them with a space. */
export function OtpField({ value, onChange, autoFocus = false }: OtpFieldProps) {
  const { texts } = useLanguage();
  return (
    <Field
      label={texts.signIn.otp}
      hint={texts.signIn.otpHint}
      value={value}
      onChange={onChange}
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9 ]*"
      maxLength={8}
      autoFocus={autoFocus}
    />
  );
}

/** Returns the digits as the server expects them. */
export const digitsOf = (typed: string): string => typed.replace(/\s/g, "");
