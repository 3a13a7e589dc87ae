import { useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import styles from "../sign-in/sign-in.module.css";
import { SignInErrorText } from "../sign-in/sign-in-error-text";
import { Brand } from "../ui/brand";
import { notifyReauthenticated } from "./provider-window";
import { useAccountTexts } from "./texts/texts";

/** The last page in the provider's window. The page that opened it continues by itself. */
export function ReauthenticatedPage() {
  const texts = useAccountTexts();
  const { trouble: errorCode } = useSearch({ from: "/reauthenticated" });
  const title = errorCode ? texts.notConfirmed : texts.confirmed;
  useEffect(() => {
    document.title = `${title} · Musette Console`;
    if (errorCode) return;
    notifyReauthenticated();
    // Some browsers close the window; others leave that to the person.
    window.close();
  }, [title, errorCode]);
  return (
    <div className={styles.signIn}>
      <header>
        <Brand />
      </header>
      <main className="card">
        <h1>{title}</h1>
        {errorCode && <ErrorText code={errorCode} />}
        <p>{texts.closeWindow}</p>
      </main>
    </div>
  );
}

function ErrorText({ code }: { readonly code: string }) {
  const texts = useAccountTexts();
  const own = { oidc_other_person: texts.otherPerson, oidc_not_fresh: texts.notFresh };
  if (!(code in own)) return <SignInErrorText code={code} />;
  return (
    <p className="failure" role="alert">
      {own[code as keyof typeof own]}
    </p>
  );
}
