import { Button } from "@musette/react/ui";
import { type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { DemoCode } from "./demo-code";
import type { SentCode } from "./sent-code";
import { exchangeCode, type Tokens } from "./sign-in-calls";
import { type SignInError, signInErrorOf } from "./sign-in-error";
import { SignInErrorText } from "./sign-in-error-text";
import { CODE_DIGITS, codeIn } from "./typed";
import { useSendCode } from "./use-send-code";
import { useWait } from "./use-wait";

export interface CodeStepProps {
  readonly sentCode: SentCode;
  readonly onSent: (sent: SentCode) => void;
  readonly onEnter: (tokens: Tokens) => void;
  readonly onChange: () => void;
}

export function CodeStep({ sentCode, onSent, onEnter, onChange }: CodeStepProps) {
  const { texts } = usePageLanguage();
  const { code, type, checking, error, wait, check } = useCode(sentCode.identifier, onEnter);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => input.current?.focus(), []);

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (code.length === CODE_DIGITS) check(code);
    else input.current?.focus();
  }

  return (
    <form className="sign-in-form" noValidate onSubmit={submit}>
      <p>
        {texts.signIn.sentTo} <bdi className="identifier">{sentCode.identifier}</bdi>
      </p>
      <DemoCode sentCode={sentCode} onUse={type} />
      <div className="field">
        <label htmlFor={id}>{texts.signIn.code}</label>
        {/* No maxLength: it would cut off a code that is pasted with spaces or within a message. */}
        <input
          ref={input}
          id={id}
          className="code-input"
          name="code"
          dir="ltr"
          autoComplete="one-time-code"
          inputMode="numeric"
          value={code}
          readOnly={checking}
          aria-invalid={error?.kind === "wrongCode" || undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={(event) => type(event.target.value)}
        />
        {error && <SignInErrorText id={`${id}-error`} error={error} />}
      </div>
      <Button kind="primary" type="submit" loading={checking} disabled={wait !== undefined}>
        {texts.signIn.title}
      </Button>
      <Resend sentCode={sentCode} onSent={onSent} />
      <Button kind="quiet" onClick={onChange}>
        {texts.signIn.change}
      </Button>
    </form>
  );
}

function useCode(identifier: string, onEnter: (tokens: Tokens) => void) {
  const [code, setCode] = useState("");
  const [checking, setChecking] = useState(false);
  const [error, setError] = useState<SignInError>();
  const underWay = useRef(false);
  const wait = useWait(error?.kind === "throttled" ? error.untilMs : 0);

  async function check(complete: string): Promise<void> {
    // The server counts attempts for a code: autofill and a tap at the same time must not use two.
    if (underWay.current || wait !== undefined) return;
    underWay.current = true;
    setChecking(true);
    setError(undefined);
    try {
      onEnter(await exchangeCode(identifier, complete));
    } catch (error) {
      const latest = signInErrorOf(error, Date.now());
      setError(latest);
      if (latest.kind === "wrongCode") setCode("");
    } finally {
      underWay.current = false;
      setChecking(false);
    }
  }

  function type(text: string): void {
    const typed = codeIn(text);
    setCode(typed);
    if (error?.kind !== "throttled") setError(undefined);
    if (typed.length === CODE_DIGITS && typed !== code) check(typed);
  }

  return { code, type, checking, error, wait, check };
}

function Resend({ sentCode, onSent }: Pick<CodeStepProps, "sentCode" | "onSent">) {
  const { texts } = usePageLanguage();
  const { sending, error, send } = useSendCode(onSent);
  const throttledUntilMs = error?.kind === "throttled" ? error.untilMs : 0;
  const wait = useWait(Math.max(sentCode.resendAtMs, throttledUntilMs));
  return (
    <div className="resend">
      {error && <SignInErrorText error={error} />}
      {wait === undefined ? (
        <Button kind="secondary" loading={sending} onClick={() => send(sentCode.identifier)}>
          {texts.signIn.resend}
        </Button>
      ) : (
        <p className="note">{texts.signIn.resendIn(wait)}</p>
      )}
      <p className="note">{texts.signIn.fewMessages}</p>
    </div>
  );
}
