import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CONSOLE_ROLES, grantOf } from "../api/grants";
import { meQuery } from "../api/me";
import { LanguageSwitch, useLanguage } from "../language/language-context";
import { signOut } from "../session/session";
import { Icon } from "../ui/icon";
import quietStyles from "../ui/quiet-button.module.css";
import switchStyles from "../ui/switch.module.css";
import { AppearanceSwitch } from "./appearance-switch";
import { SecondFactorLink } from "./second-factor-banner";
import styles from "./shell.module.css";

/** The signed-in person, with appearance, language and sign-out. */
export function Person({ onGo }: { readonly onGo?: () => void }) {
  const { texts } = useLanguage();
  const me = useQuery(meQuery);
  const grants = me.data?.roles.map(grantOf) ?? [];
  const roles = [...CONSOLE_ROLES]
    .reverse()
    .filter((role) => grants.some((grant) => grant.role === role))
    .map((role) => {
      const scopes = grants.filter((grant) => grant.role === role).map((grant) => grant.scope);
      // A code is written from left to right in every language.
      const isNarrowed = scopes.every((scope) => scope !== undefined);
      return isNarrowed
        ? `${texts.roles[role]} (\u2068${scopes.join(", ")}\u2069)`
        : texts.roles[role];
    });
  return (
    <div className={styles.person}>
      <LanguageSwitch className={switchStyles.switch} label={texts.language} />
      <AppearanceSwitch />
      <p>
        <span className={styles.name}>
          <bdi>{me.data?.user_id ?? "…"}</bdi>
        </span>
        {me.data && <span className="note">{roles.join(" · ")}</span>}
      </p>
      <Link className={quietStyles.quiet} to="/account" {...(onGo && { onClick: onGo })}>
        <Icon name="account" />
        {texts.account}
      </Link>
      <SecondFactorLink {...(onGo && { onGo })} />
      <button type="button" className={quietStyles.quiet} onClick={signOut}>
        <Icon name="signOut" />
        {texts.signOut}
      </button>
    </div>
  );
}
