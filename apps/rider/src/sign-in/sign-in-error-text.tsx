import { usePageLanguage } from "../language/page-language";
import type { SignInError } from "./sign-in-error";
import { useWait } from "./use-wait";

export function SignInErrorText({
  id,
  error,
}: {
  readonly id?: string;
  readonly error: SignInError;
}) {
  const { texts } = usePageLanguage();
  if (error.kind === "throttled") return <Throttled id={id} untilMs={error.untilMs} />;
  return (
    <p id={id} className="failure" role="alert">
      {error.kind === "wrongCode" ? texts.signIn.wrongCode : texts.failure[error.failure]}
    </p>
  );
}

function Throttled(props: { readonly id: string | undefined; readonly untilMs: number }) {
  const { texts } = usePageLanguage();
  const wait = useWait(props.untilMs);
  if (wait === undefined) return null;
  return (
    <p id={props.id} className="failure">
      <span role="alert">{texts.signIn.throttled}</span>{" "}
      {/* Outside the alert, which would be announced every second. */}
      {texts.signIn.throttledFor(wait)}
    </p>
  );
}
