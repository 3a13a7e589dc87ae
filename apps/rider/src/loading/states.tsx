import { failureKind } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { type ReactNode, useEffect, useRef } from "react";
import { useLanguage } from "../language/language";
import { useSuspended } from "../session/session";

export function FailureText({ error }: { readonly error: unknown }) {
  const { texts } = useLanguage();
  return (
    <p className="failure" role="alert">
      {texts.failure[failureKind(error)]}
    </p>
  );
}

export function LoadFailed(props: { readonly error: unknown; readonly onRetry: () => void }) {
  const { texts } = useLanguage();
  useWhenResumed(props.onRetry);
  return (
    <div className="calm">
      <FailureText error={props.error} />
      <Button kind="secondary" onClick={props.onRetry}>
        {texts.tryAgain}
      </Button>
    </div>
  );
}

/** The shell says of a suspended session that it goes on by itself, and so must the page. */
export function useWhenResumed(resume: () => void): void {
  const suspended = useSuspended();
  const was = useRef(suspended);
  useEffect(() => {
    if (was.current && !suspended) resume();
    was.current = suspended;
  }, [suspended, resume]);
}

/** Grey shapes where the cards will stand, so that nothing jumps when they come. */
export function LoadingCards({ count = 3 }: { readonly count?: number }) {
  const { texts } = useLanguage();
  return (
    <div role="status">
      <span className="mu-hidden">{texts.loading}</span>
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the shapes are all alike
        <div key={i} className="card skeleton" />
      ))}
    </div>
  );
}

/** A page that has nothing to show, says why, and knows the way on. */
export function CalmPage(props: {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="calm">
      <h1>{props.title}</h1>
      <p>{props.text}</p>
      <div className="ways">{props.children}</div>
    </div>
  );
}
