import { useNavigate, useRouterState, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { LanguageSwitch, useLanguage } from "../language/language-context";
import { Brand } from "../ui/brand";
import switchStyles from "../ui/switch.module.css";
import { SetPassword } from "./set-password";
import styles from "./sign-in.module.css";
import { SignInForm } from "./sign-in-form";

export function SignInPage() {
  const { texts } = useLanguage();
  const search = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  // A one-time link has its token after the #, which never reaches a server or its log.
  const token = useRouterState({ select: (state) => state.location.hash });
  const setsUp = search.set_up === "authenticator";
  const ordinary = setsUp ? texts.signIn.setUpTitle : texts.signIn.title;
  const title = token ? texts.signIn.setTitle : ordinary;

  useEffect(() => {
    document.title = `${title} · Musette Console`;
  }, [title]);

  const goOn = () => navigate({ href: search.next ?? "/", replace: true });
  return (
    <div className={styles.signIn}>
      <header>
        <Brand />
        <LanguageSwitch className={switchStyles.switch} label={texts.language} />
      </header>
      <main className="card">
        <h1>{title}</h1>
        {token ? (
          <SetPassword token={token} onDone={goOn} />
        ) : (
          <SignInForm errorCode={search.trouble} setsUp={setsUp} onDone={goOn} />
        )}
      </main>
    </div>
  );
}
