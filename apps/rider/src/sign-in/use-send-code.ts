import { useState } from "react";
import { usePageLanguage } from "../language/page-language";
import type { SentCode } from "./sent-code";
import { requestCode } from "./sign-in-calls";
import { type SignInError, signInErrorOf } from "./sign-in-error";

/** A message takes a moment to arrive. A request too early would make the person wait for two. */
const RESEND_MS = 30_000;

export function useSendCode(onSent: (sent: SentCode) => void) {
  const { language } = usePageLanguage();
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<SignInError>();

  async function send(identifier: string): Promise<void> {
    setSending(true);
    setError(undefined);
    try {
      const lifetimeMs = await requestCode(identifier, language.tag);
      const nowMs = Date.now();
      const times = { expiresAtMs: nowMs + lifetimeMs, resendAtMs: nowMs + RESEND_MS };
      onSent({ identifier, ...times });
    } catch (error) {
      setError(signInErrorOf(error, Date.now()));
    } finally {
      setSending(false);
    }
  }

  return { sending, error, send };
}
