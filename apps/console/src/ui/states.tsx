import { HttpError } from "@musette/client/http";
import { Button, Spinner } from "@musette/react/ui";
import { failureKind } from "../api/failure";
import { useLanguage } from "../language/language-context";

export function Loading() {
  const { texts } = useLanguage();
  return (
    <p role="status" className="calm">
      <Spinner />
      <span>{texts.loading}</span>
    </p>
  );
}

export function FailureText({ error }: { readonly error: unknown }) {
  const { texts } = useLanguage();
  const problem = error instanceof HttpError ? error.problem : undefined;
  const requestId = problem?.request_id;
  const kind = failureKind(error);
  return (
    <p className="failure" role="alert">
      {texts.failure[kind]}
      {kind === "refused" && problem?.detail && (
        <small>
          <bdi>{problem.detail}</bdi>
        </small>
      )}
      {requestId && (
        <small>
          {texts.requestId} <bdi>{requestId}</bdi>
        </small>
      )}
    </p>
  );
}

export function LoadFailed(props: { readonly error: unknown; readonly onRetry: () => unknown }) {
  const { texts } = useLanguage();
  return (
    <div className="calm">
      <FailureText error={props.error} />
      {/* After "forbidden", a retry would fail again. */}
      {failureKind(props.error) !== "forbidden" && (
        <Button kind="secondary" onClick={() => props.onRetry()}>
          {texts.tryAgain}
        </Button>
      )}
    </div>
  );
}
