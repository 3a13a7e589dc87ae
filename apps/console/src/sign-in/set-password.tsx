import { Button } from "@musette/react/ui";
import { type FormEvent, useState } from "react";
import { useLanguage } from "../language/language-context";
import { Field } from "../ui/field";
import { redeemLink } from "./sign-in-calls";
import { TroubleText } from "./trouble-text";

const CHARACTERS_MIN = 12;

interface SetPasswordProps {
  readonly token: string;
  readonly onDone: () => void;
}

export function SetPassword({ token, onDone }: SetPasswordProps) {
  const { texts } = useLanguage();
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [error, setError] = useState<unknown>();
  const [fault, setFault] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setError(undefined);
    const isShort = [...password].length < CHARACTERS_MIN;
    const unequal = password === again ? undefined : texts.signIn.unequal;
    const wrong = isShort ? texts.signIn.troubles.password_too_short : unequal;
    setFault(wrong);
    if (wrong) return;
    setSending(true);
    try {
      await redeemLink(token, password);
      onDone();
    } catch (refusal) {
      setError(refusal);
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
          fault={fault}
        />
        {error !== undefined && <TroubleText error={error} />}
        <Button type="submit" loading={isSending}>
          {texts.signIn.set}
        </Button>
      </form>
    </>
  );
}
