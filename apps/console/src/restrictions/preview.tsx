import { useLanguage } from "../language/language-context";
import { useMinute } from "../language/use-day";
import factStyles from "../ui/facts.module.css";
import styles from "./restrictions.module.css";
import type { NewRestriction, Restriction } from "./restrictions-queries";
import { useRestrictionsTexts } from "./texts/texts";

type Content = Pick<
  NewRestriction | Restriction,
  "kind" | "statement" | "reasons" | "contact" | "starts_at" | "ends_at"
>;

/** The content of a restriction in one language, in the order in which the rider reads it. */
export function Preview({
  content,
  locale,
}: {
  readonly content: Content;
  readonly locale: string;
}) {
  const texts = useRestrictionsTexts();
  const { tag } = useLanguage().language;
  const minute = useMinute();
  const { kind, statement, reasons, contact, starts_at: start, ends_at: end } = content;
  return (
    <article className={styles.preview}>
      <strong>{texts.kinds[kind as Restriction["kind"]]}</strong>
      <dl className={factStyles.facts}>
        <dt>{texts.since}</dt>
        <dd>{start ? minute(start) : texts.atOnce}</dd>
        <dt>{texts.until}</dt>
        <dd>{end ? minute(end) : texts.noEnd}</dd>
      </dl>
      <p className={styles.message} lang={locale} dir="auto">
        {statement?.[locale]}
      </p>
      <ul className={styles.reasons}>
        {(reasons ?? []).map(({ code, text }) => (
          <li key={code} dir="auto">
            {text[locale] ?? text[tag] ?? Object.values(text)[0]}
          </li>
        ))}
      </ul>
      <p>
        {texts.contact}: <bdi>{contact?.name}</bdi>{" "}
        <bdi>{[contact?.email, contact?.phone].filter(Boolean).join(", ")}</bdi>
      </p>
      <p className="note">{texts.alwaysAdded}</p>
    </article>
  );
}
