import { GrantChips } from "../grants/grant-chips";
import styles from "./people.module.css";
import { PLAIN_ROLES } from "./people-search";
import { usePeopleTexts } from "./texts/texts";

/** The person's roles in this console, and their other roles. */
export function Roles({ roles }: { readonly roles: readonly string[] }) {
  const texts = usePeopleTexts();
  return (
    <span className={styles.roles}>
      <GrantChips roles={roles} />
      {PLAIN_ROLES.filter((role) => roles.includes(role)).map((role) => (
        <span key={role} className="chip">
          {texts.roles[role]}
        </span>
      ))}
    </span>
  );
}
