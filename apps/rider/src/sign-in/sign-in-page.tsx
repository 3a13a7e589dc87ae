import { useEffect, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { navigate } from "../router/router";
import { nextAddress } from "../router/sign-in-address";
import { enterSession } from "../session/person";
import { useEnded, useUserId } from "../session/session";
import { CodeStep } from "./code-step";
import { endedText } from "./ended-text";
import { IdentifierStep } from "./identifier-step";
import { type SentCode, storedSentCode, storeSentCode } from "./sent-code";
import type { Tokens } from "./sign-in-calls";

/**
 * Asks for the identifier, then for the code that was sent; then returns to the page that the
 * person came from.
 */
export function SignInPage() {
  const { texts } = usePageLanguage();
  const userId = useUserId();
  const ended = useEnded();
  const [next] = useState(() => {
    const { search, hash, origin } = window.location;
    return nextAddress(search, hash, origin);
  });
  const [sentCode, setSentCode] = useState(() => storedSentCode(Date.now()));
  const [identifier, setIdentifier] = useState(sentCode?.identifier ?? "");

  // Also when another tab has signed in meanwhile.
  useEffect(() => {
    if (userId !== undefined) navigate(next, { replace: true });
  }, [userId, next]);

  function keep(latest: SentCode | undefined): void {
    storeSentCode(latest);
    setSentCode(latest);
  }

  function enter(tokens: Tokens): void {
    storeSentCode(undefined);
    enterSession(tokens);
  }

  return (
    <div className="sign-in">
      <h1>{sentCode ? texts.signIn.codeTitle : texts.signIn.title}</h1>
      {ended && (
        <p className="ended">
          <strong>{texts.ended.title}.</strong> {endedText(texts)}
        </p>
      )}
      {sentCode ? (
        <CodeStep
          sentCode={sentCode}
          onSent={keep}
          onEnter={enter}
          onChange={() => keep(undefined)}
        />
      ) : (
        <IdentifierStep identifier={identifier} onIdentifier={setIdentifier} onSent={keep} />
      )}
    </div>
  );
}
