import { HttpError } from "@musette/client/http";
import { Button } from "@musette/react/ui";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { useLanguage } from "../language/language-context";
import { Page } from "./page";
import { FailureText } from "./states";

/** A page whose code or words could not be fetched, or that broke: the way back is one press. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const { texts } = useLanguage();
  const retry = () => {
    // A browser remembers code that did not arrive as missing; only a new load asks for it again.
    // Offline that would take this page away too, so there only what failed is tried once more.
    if (navigator.onLine) location.reload();
    else reset();
  };
  useEffect(() => {
    addEventListener("online", reset);
    return () => removeEventListener("online", reset);
  }, [reset]);
  return (
    <Page title={texts.pageFailed.title} intro={texts.pageFailed.text} isNowhere>
      {error instanceof HttpError && <FailureText error={error} />}
      <div className="page-actions">
        <Button onClick={retry}>{texts.tryAgain}</Button>
      </div>
    </Page>
  );
}
