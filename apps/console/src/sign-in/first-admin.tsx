import { useLanguage } from "../language/language-context";
import styles from "./sign-in.module.css";

const COMMAND = "musette user add --id you --role admin --email you@company.example";

/**
 * Explains how the first admin of a new server signs in: with its command line, which requires
 * access to the server.
 */
export function FirstAdmin() {
  const { texts } = useLanguage();
  const firstAdminTexts = texts.signIn.firstAdmin;
  return (
    <section className={styles.firstAdmin} aria-labelledby="first-admin">
      <h2 id="first-admin">{firstAdminTexts.title}</h2>
      <p>{firstAdminTexts.run}</p>
      <code dir="ltr">{COMMAND}</code>
      <p>{firstAdminTexts.link}</p>
      <p className="note">{firstAdminTexts.address(location.origin)}</p>
    </section>
  );
}
