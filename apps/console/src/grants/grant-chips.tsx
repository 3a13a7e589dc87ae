import { CONSOLE_ROLES, grantOf } from "../api/grants";
import { useLanguage } from "../language/language-context";

/** The person's roles for the console, each with its scope. */
export function GrantChips({ roles }: { readonly roles: readonly string[] }) {
  const { texts } = useLanguage();
  return roles.map((text) => {
    const { role, scope } = grantOf(text);
    const consoleRole = CONSOLE_ROLES.find((known) => known === role);
    if (!consoleRole) return null;
    return (
      <span key={text} className="chip" data-tone="good">
        {texts.roles[consoleRole]}
        {scope && (
          <>
            {" · "}
            <bdi dir="ltr">{scope}</bdi>
          </>
        )}
      </span>
    );
  });
}
