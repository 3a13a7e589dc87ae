import { languageName } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { documentOf, ReadDocuments } from "../read-documents";
import styles from "../terms.module.css";
import type { PublishedTerm } from "../terms-query";
import { useTermsTexts } from "../texts/texts";

/** The exact files, as riders read them. */
export function TermDocuments({ term }: { readonly term: PublishedTerm }) {
  const { term: termTexts } = useTermsTexts();
  const { tag } = useLanguage().language;
  const documents = term.variants.map(({ locale, title, sha256 }) =>
    documentOf(locale, title, sha256),
  );
  return (
    <section className="card">
      <h2>{termTexts.documents}</h2>
      <ul className={styles.termDocuments}>
        {term.variants.map(({ locale, title, sha256 }, index) => {
          const name = languageName(locale, tag);
          return (
            <li key={locale}>
              <div>
                <p>
                  <strong>{name}</strong>{" "}
                  {index === 0 && <span className="chip">{termTexts.default}</span>}
                </p>
                <p lang={locale}>
                  <bdi>{title}</bdi>
                </p>
                <p className="note">
                  {termTexts.hash} <code>{sha256}</code>
                </p>
              </div>
              <ReadDocuments
                documents={documents}
                index={index}
                label={`${termTexts.readShort}: ${name}`}
              >
                {termTexts.readShort}
              </ReadDocuments>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
