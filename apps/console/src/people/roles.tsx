import styles from "./people.module.css";
import { ROLES } from "./people-search";
import { usePeopleTexts } from "./texts/texts";

/** What somebody may do, the most first. */
export function Roles({ roles }: { readonly roles: readonly string[] }) {
  const words = usePeopleTexts();
  const known = [...ROLES].reverse().filter((role) => roles.includes(role));
  return (
    <span className={styles.roles}>
      {known.map((role) => (
        <span
          key={role}
          className="chip"
          data-tone={role === "admin" || role === "operator" ? "good" : undefined}
        >
          {words.roles[role]}
        </span>
      ))}
    </span>
  );
}
