import { usePageLanguage } from "../language/page-language";
import type { SignInError } from "./trouble";
import { useWait } from "./use-wait";

export function SignInErrorText({
  id,
  trouble,
}: {
  readonly id?: string;
  readonly trouble: SignInError;
}) {
  const { texts } = usePageLanguage();
  if (trouble.kind === "throttled") return <Throttled id={id} untilMs={trouble.untilMs} />;
  return (
    <p id={id} className="failure" role="alert">
      {trouble.kind === "wrongCode" ? texts.signIn.wrongCode : texts.failure[trouble.failure]}
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
