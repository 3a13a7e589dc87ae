import { Button } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Wire } from "../api/wire";
import { useLanguage } from "../language/language-context";
import { Field } from "../ui/field";
import { LoadFailed, Loading } from "../ui/states";
import { FirstAdmin } from "./first-admin";
import { digitsOf, OtpField } from "./otp-field";
import { SetUpAuthenticator } from "./set-up-authenticator";
import styles from "./sign-in.module.css";
import {
  codeOf,
  OIDC_START,
  offerAuthenticator,
  signInOptionsQuery,
  signInWithPassword,
} from "./sign-in-calls";
import { SignInErrorText } from "./sign-in-error-text";

interface SignInFormProps {
  /** Why the person is here, from the address. */
  readonly errorCode: string | undefined;
  /** The person came to set up an authenticator. */
  readonly setsUp?: boolean;
  readonly onDone: () => void;
}

export function SignInForm({ errorCode, setsUp = false, onDone }: SignInFormProps) {
  const { texts } = useLanguage();
  const options = useQuery(signInOptionsQuery);
  if (options.isPending) return <Loading />;
  if (options.isError) return <LoadFailed error={options.error} onRetry={options.refetch} />;
  const { password, oidc, needs_first_admin } = options.data;
  return (
    <>
      <p>{setsUp ? texts.signIn.setUpIntro : texts.signIn.intro}</p>
      {errorCode && <SignInErrorText code={errorCode} />}
      {needs_first_admin && <FirstAdmin />}
      {oidc && !setsUp && (
        <a className="mu-button" data-kind={password ? "secondary" : "primary"} href={OIDC_START}>
          {texts.signIn.company(oidc.name)}
        </a>
      )}
      {oidc && password && !setsUp && <p className={styles.or}>{texts.signIn.or}</p>}
      {password && <PasswordForm setsUp={setsUp} onDone={onDone} />}
    </>
  );
}

interface PasswordFormProps {
  readonly setsUp: boolean;
  readonly onDone: () => void;
}

function PasswordForm({ setsUp, onDone }: PasswordFormProps) {
  const { texts } = useLanguage();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [otp, setOtp] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const [offer, setOffer] = useState<Wire<"AuthenticatorOffer">>();
  const wantsOtp = otp !== undefined;

  async function enter(): Promise<void> {
    const account = email.trim();
    if (setsUp) {
      setOffer(await offerAuthenticator(account, password));
      return;
    }
    try {
      await signInWithPassword(account, password, otp === undefined ? undefined : digitsOf(otp));
      onDone();
    } catch (refusal) {
      // The password was correct, so the setup of the missing second factor begins.
      if (codeOf(refusal) !== "second_factor_required") throw refusal;
      setOffer(await offerAuthenticator(account, password));
    }
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSending(true);
    setError(undefined);
    try {
      await enter();
    } catch (refusal) {
      // `otp_required` is not shown as an error: the password was correct, and the next field
      // appears.
      if (codeOf(refusal) === "otp_required") setOtp("");
      else setError(refusal);
      if (codeOf(refusal) === "otp_invalid") setOtp("");
    } finally {
      setSending(false);
    }
  }

  if (offer) {
    return (
      <>
        {!setsUp && (
          <>
            <p>{texts.signIn.setUpRequired}</p>
            <h2>{texts.signIn.setUpTitle}</h2>
          </>
        )}
        <SetUpAuthenticator
          email={email.trim()}
          password={password}
          offer={offer}
          onDone={onDone}
        />
      </>
    );
  }
  return (
    <form onSubmit={submit}>
      {wantsOtp ? (
        <>
          <h2>{texts.signIn.otpTitle}</h2>
          <OtpField value={otp} onChange={setOtp} autoFocus />
        </>
      ) : (
        <>
          <Field
            label={texts.signIn.email}
            value={email}
            onChange={setEmail}
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Field
            label={texts.signIn.password}
            value={password}
            onChange={setPassword}
            type="password"
            autoComplete="current-password"
          />
        </>
      )}
      {error !== undefined && <SignInErrorText error={error} />}
      <Button type="submit" loading={isSending}>
        {setsUp ? texts.signIn.setUpBegin : texts.signIn.title}
      </Button>
      {wantsOtp && (
        <Button
          kind="quiet"
          onClick={() => {
            setOtp(undefined);
            setPassword("");
            setError(undefined);
          }}
        >
          {texts.signIn.another}
        </Button>
      )}
    </form>
  );
}
