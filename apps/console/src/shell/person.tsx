import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../api/me";
import { useLanguage } from "../language/language-context";
import { signOut } from "../session/session";
import { Icon } from "../ui/icon";
import { LanguageSwitch } from "../ui/language-switch";
import { AppearanceSwitch } from "./appearance-switch";
import styles from "./shell.module.css";

/** The signed-in person, with appearance, language and sign-out. */
export function Person() {
  const { texts } = useLanguage();
  const me = useQuery(meQuery);
  const role = me.data?.roles.includes("admin") ? "admin" : "operator";
  return (
    <div className={styles.person}>
      <LanguageSwitch />
      <AppearanceSwitch />
      <p>
        <span className={styles.name}>
          <bdi>{me.data?.user_id ?? "…"}</bdi>
        </span>
        {me.data && <span className="note">{texts.roles[role]}</span>}
      </p>
      <button type="button" className="quiet" onClick={signOut}>
        <Icon name="signOut" />
        {texts.signOut}
      </button>
    </div>
  );
}
