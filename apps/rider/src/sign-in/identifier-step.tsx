import { Button } from "@musette/react/ui";
import { type SubmitEvent, useId, useRef, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { Link } from "../router/router";
import { DemoContacts } from "./demo-contacts";
import type { SentCode } from "./sent-code";
import { SignInErrorText } from "./sign-in-error-text";
import { identifierIn } from "./typed";
import { useSendCode } from "./use-send-code";
import { useWait } from "./use-wait";

export function IdentifierStep(props: {
  readonly identifier: string;
  readonly onIdentifier: (text: string) => void;
  readonly onSent: (sent: SentCode) => void;
}) {
  const { texts } = usePageLanguage();
  const { sending, error, send } = useSendCode(props.onSent);
  const wait = useWait(error?.kind === "throttled" ? error.untilMs : 0);
  const [unusable, setUnusable] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (sending || wait !== undefined) return;
    const identifier = identifierIn(props.identifier);
    setUnusable(identifier === undefined);
    if (identifier === undefined) input.current?.focus();
    else send(identifier);
  }

  return (
    <form className="sign-in-form" noValidate onSubmit={submit}>
      <p>{texts.signIn.intro}</p>
      <div className="field">
        <label htmlFor={id}>{texts.signIn.identifier}</label>
        <input
          ref={input}
          id={id}
          name="identifier"
          dir="ltr"
          autoComplete="username"
          autoCapitalize="none"
          inputMode="email"
          spellCheck={false}
          maxLength={254}
          value={props.identifier}
          aria-invalid={unusable || undefined}
          aria-describedby={unusable ? `${id}-error` : undefined}
          onChange={(event) => {
            setUnusable(false);
            props.onIdentifier(event.target.value);
          }}
        />
        {unusable && (
          <p id={`${id}-error`} className="failure" role="alert">
            {texts.signIn.unusable}
          </p>
        )}
      </div>
      {error && !unusable && <SignInErrorText error={error} />}
      <DemoContacts
        onUse={(email) => {
          setUnusable(false);
          props.onIdentifier(email);
          input.current?.focus();
        }}
      />
      <Button kind="primary" type="submit" loading={sending} disabled={wait !== undefined}>
        {texts.signIn.send}
      </Button>
      <p className="note">
        {texts.signIn.noAccount} <Link href="/apply">{texts.start.apply}</Link>
      </p>
    </form>
  );
}
