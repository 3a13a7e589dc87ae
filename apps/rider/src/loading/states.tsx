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

/** Calls `resume` when a suspended session continues, so that the page continues with the shell. */
export function useWhenResumed(resume: () => void): void {
  const suspended = useSuspended();
  const was = useRef(suspended);
  useEffect(() => {
    if (was.current && !suspended) resume();
    was.current = suspended;
  }, [suspended, resume]);
}

/** Grey shapes in the place of the cards, so that nothing moves when the cards appear. */
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

/** A page without content that says why, and offers the next step. */
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
