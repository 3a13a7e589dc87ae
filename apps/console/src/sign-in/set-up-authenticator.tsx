import { Button } from "@musette/react/ui";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Wire } from "../api/wire";
import { useLanguage } from "../language/language-context";
import { authenticatorQuery } from "./authenticator-query";
import { digitsOf, OtpField } from "./otp-field";
import styles from "./sign-in.module.css";
import { codeOf, setUpAuthenticator } from "./sign-in-calls";
import { SignInErrorText } from "./sign-in-error-text";

interface SetUpAuthenticatorProps {
  readonly email: string;
  readonly password: string;
  readonly offer: Wire<"AuthenticatorOffer">;
  readonly onDone: () => void;
}

/** QR code readers need a margin of this many modules. */
const QUIET = 4;

/** Sets up the authenticator, which its first code confirms. */
export function SetUpAuthenticator({ email, password, offer, onDone }: SetUpAuthenticatorProps) {
  const { texts } = useLanguage();
  const client = useQueryClient();
  const [otp, setOtp] = useState("");
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSending(true);
    setError(undefined);
    try {
      await setUpAuthenticator(email, password, offer.setup, digitsOf(otp));
      client.removeQueries({ queryKey: authenticatorQuery.queryKey });
      onDone();
    } catch (refusal) {
      setError(refusal);
      if (codeOf(refusal) === "otp_invalid") setOtp("");
    } finally {
      setSending(false);
    }
  }

  return (
    <form onSubmit={submit}>
      <p>{texts.signIn.setUpScan}</p>
      <QrCode {...offer.qr} label={texts.signIn.setUpQr} />
      <p>
        {texts.signIn.setUpKey}{" "}
        <code className={styles.totpKey} dir="ltr">
          {offer.secret.replace(/(.{4})(?=.)/g, "$1 ")}
        </code>
      </p>
      <OtpField value={otp} onChange={setOtp} />
      {error !== undefined && <SignInErrorText error={error} />}
      <Button type="submit" loading={isSending}>
        {texts.signIn.setUpDone}
      </Button>
    </form>
  );
}

/** Black on white in every appearance, because cameras read other colours less reliably. */
function QrCode(props: { readonly size: number; readonly path: string; readonly label: string }) {
  const side = props.size + 2 * QUIET;
  return (
    <svg
      className={styles.qrCode}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      role="img"
      aria-label={props.label}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={props.path} fill="#000" />
    </svg>
  );
}
