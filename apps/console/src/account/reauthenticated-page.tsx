import { useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import styles from "../sign-in/sign-in.module.css";
import { SignInErrorText } from "../sign-in/trouble-text";
import { Brand } from "../ui/brand";
import { notifyReauthenticated } from "./provider-window";
import { useAccountTexts } from "./texts/texts";

/** The last page in the provider's window. The page that opened it continues by itself. */
export function ReauthenticatedPage() {
  const words = useAccountTexts();
  const { trouble } = useSearch({ from: "/reauthenticated" });
  const title = trouble ? words.notConfirmed : words.confirmed;
  useEffect(() => {
    document.title = `${title} · Musette Console`;
    if (trouble) return;
    notifyReauthenticated();
    // Some browsers close the window; others leave that to the person.
    window.close();
  }, [title, trouble]);
  return (
    <div className={styles.signIn}>
      <header>
        <Brand />
      </header>
      <main className="card">
        <h1>{title}</h1>
        {trouble && <ErrorText code={trouble} />}
        <p>{words.closeWindow}</p>
      </main>
    </div>
  );
}

function ErrorText({ code }: { readonly code: string }) {
  const words = useAccountTexts();
  const own = { oidc_other_person: words.otherPerson, oidc_not_fresh: words.notFresh };
  if (!(code in own)) return <SignInErrorText code={code} />;
  return (
    <p className="failure" role="alert">
      {own[code as keyof typeof own]}
    </p>
  );
}
