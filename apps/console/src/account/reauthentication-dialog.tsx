import { Button, Modal } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { reauthentication } from "../api/reauthentication";
import { digitsOf, OtpField } from "../sign-in/otp-field";
import { codeOf, signInOptionsQuery } from "../sign-in/sign-in-calls";
import dialogStyles from "../ui/dialog.module.css";
import { DialogForm } from "../ui/dialog-form";
import { Field } from "../ui/field";
import { LoadFailed, Loading } from "../ui/states";
import { reauthenticate, startProviderReauthentication } from "./account-calls";
import { onReauthenticated } from "./provider-window";
import { ReauthenticationError } from "./reauthentication-error";
import { useAccountTexts } from "./texts/texts";

const confirm = () => reauthentication.answer(true);
const cancel = () => reauthentication.answer(false);

/** Asks the person to re-authenticate before an action that could take over an account. */
export function ReauthenticationDialog() {
  const texts = useAccountTexts();
  const options = useQuery(signInOptionsQuery);
  return (
    <Modal open onClose={cancel} label={texts.confirmTitle}>
      {options.isPending && <Loading />}
      {options.isError && <LoadFailed error={options.error} onRetry={options.refetch} />}
      {options.data &&
        (options.data.password ? (
          <PasswordProof provider={options.data.oidc?.name} />
        ) : (
          <div className={dialogStyles.confirm}>
            <h2>{texts.confirmTitle}</h2>
            <p>{texts.confirmWhy}</p>
            <ProviderProof name={options.data.oidc?.name ?? ""} isOnly />
            <div className={dialogStyles.buttons}>
              <Cancel />
            </div>
          </div>
        ))}
    </Modal>
  );
}

function Cancel() {
  const texts = useAccountTexts();
  return (
    <Button kind="secondary" onClick={cancel}>
      {texts.notNow}
    </Button>
  );
}

function PasswordProof({ provider }: { readonly provider: string | undefined }) {
  const texts = useAccountTexts();
  const [password, setPassword] = useState("");
  const [otp, setOtp] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);

  async function submit(): Promise<void> {
    setSending(true);
    setError(undefined);
    try {
      await reauthenticate(password, otp === undefined ? undefined : digitsOf(otp));
      confirm();
    } catch (refusal) {
      const code = codeOf(refusal);
      // `otp_required` is not shown as an error: the password was correct, and the next field
      // appears.
      if (code !== "otp_required") setError(refusal);
      if (code === "otp_required" || code === "otp_invalid") setOtp("");
    } finally {
      setSending(false);
    }
  }

  return (
    <DialogForm
      title={texts.confirmTitle}
      action={texts.confirm}
      isBusy={isSending}
      onSubmit={submit}
      onCancel={cancel}
    >
      <p>{texts.confirmWhy}</p>
      <Field
        label={texts.ownPassword}
        value={password}
        onChange={setPassword}
        type="password"
        autoComplete="current-password"
        autoFocus
      />
      {otp !== undefined && <OtpField value={otp} onChange={setOtp} autoFocus />}
      {error !== undefined && <ReauthenticationError error={error} />}
      {provider !== undefined && <ProviderProof name={provider} />}
    </DialogForm>
  );
}

/** Opens the provider's pages in a separate window, so this page keeps the typed text. */
function ProviderProof({
  name,
  isOnly = false,
}: {
  readonly name: string;
  readonly isOnly?: boolean;
}) {
  const texts = useAccountTexts();
  const [error, setError] = useState<unknown>();
  const [isWaiting, setWaiting] = useState(false);
  /** The address of a window that the browser blocked. */
  const [blocked, setBlocked] = useState<string>();
  useEffect(() => onReauthenticated(confirm), []);

  async function begin(): Promise<void> {
    // Before the request: a browser only opens a window directly after a click.
    const opened = window.open("", "_blank", "popup,width=520,height=720");
    setError(undefined);
    setWaiting(true);
    try {
      const url = await startProviderReauthentication();
      if (opened) opened.location.href = url;
      else setBlocked(url);
    } catch (refusal) {
      opened?.close();
      setWaiting(false);
      setError(refusal);
    }
  }

  return (
    <>
      <div>
        {blocked ? (
          <a className="mu-button" href={blocked} target="_blank" rel="noreferrer">
            {texts.confirmWith(name)}
          </a>
        ) : (
          <Button kind={isOnly ? "primary" : "secondary"} onClick={begin}>
            {texts.confirmWith(name)}
          </Button>
        )}
      </div>
      <p role="status" className="note">
        {isWaiting && !blocked && texts.goOnThere}
      </p>
      {error !== undefined && <ReauthenticationError error={error} />}
    </>
  );
}
