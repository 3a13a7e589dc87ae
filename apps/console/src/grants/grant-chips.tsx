import { CONSOLE_ROLES, grantOf } from "../api/grants";
import { useLanguage } from "../language/language-context";

/** The roles for the console among somebody's roles, each with what it is narrowed to. */
export function GrantChips({ roles }: { readonly roles: readonly string[] }) {
  const { texts } = useLanguage();
  return roles.map((text) => {
    const { role, scope } = grantOf(text);
    const known = CONSOLE_ROLES.find((it) => it === role);
    if (!known) return null;
    return (
      <span key={text} className="chip" data-tone="good">
        {texts.roles[known]}
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
