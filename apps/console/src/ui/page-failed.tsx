import { HttpError } from "@musette/client/http";
import { Button } from "@musette/react/ui";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { useLanguage } from "../language/language-context";
import { Page } from "./page";
import pageStyles from "./page.module.css";
import { FailureText } from "./states";

/** Shown if the code or the texts of a page fail to load, or if it throws. Offers to try again. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const { texts } = useLanguage();
  const retry = () => {
    // Browsers cache a failed module import until the page is reloaded. Without a network, a reload
    // would lose this page as well, so only the failed part is tried again.
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
      <div className={pageStyles.actions}>
        <Button onClick={retry}>{texts.tryAgain}</Button>
      </div>
    </Page>
  );
}
