import { languageName } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { ShareBar } from "../../ui/share-bar";
import styles from "./coverage.module.css";
import type { Coverage } from "./coverage-query";
import { useCoverageTexts } from "./texts/texts";

type Row = Coverage["by_language"][number];

const decidedOn = ({ riders_accepted, riders_declined, riders_withdrawn }: Row) =>
  riders_accepted + riders_declined + riders_withdrawn;

/** The riders by the language of their latest decision. */
export function ByLanguage({ coverage }: { readonly coverage: Coverage }) {
  const texts = useCoverageTexts();
  const { tag } = useLanguage().language;
  const percent = new Intl.NumberFormat(tag, { style: "percent" });
  const rows = coverage.by_language
    .filter((row) => decidedOn(row) > 0)
    .sort((a, b) => decidedOn(b) - decidedOn(a));
  const most = Math.max(...rows.map(decidedOn), 1);
  return (
    <section className="card">
      <h2>{texts.byLanguage}</h2>
      <p className="note">{rows.length > 0 ? texts.byLanguageHint : texts.undecided}</p>
      {rows.length > 0 && (
        <table className={styles.byLanguage}>
          <thead>
            <tr>
              <th scope="col">{texts.language}</th>
              <th scope="col">{texts.accepted}</th>
              <th scope="col">{texts.declined}</th>
              <th scope="col">{texts.withdrawn}</th>
              <th scope="col">{texts.share}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const { locale, riders_accepted: accepted } = row;
              const decided = decidedOn(row);
              return (
                <tr key={locale}>
                  <th scope="row">
                    {locale ? languageName(locale, tag) : texts.unknownLanguage}
                    <ShareBar share={decided / most} isThin />
                  </th>
                  <td>{accepted.toLocaleString(tag)}</td>
                  <td>{row.riders_declined.toLocaleString(tag)}</td>
                  <td>{row.riders_withdrawn.toLocaleString(tag)}</td>
                  <td>{percent.format(accepted / Math.max(decided, 1))}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}
