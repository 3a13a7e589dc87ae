import { DocumentChanges } from "@musette/react/comparison";
import { useTexts } from "@musette/react/texts";
import { useId, useState } from "react";
import { languageName } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { documentOf, fetchDocument } from "../read-documents";
import styles from "./comparison.module.css";
import { useComparisonTexts } from "./texts/texts";

/** The document of one language. */
interface LanguageDocument {
  readonly locale: string;
  readonly sha256: string;
}

interface TextDifferenceProps {
  readonly before: readonly LanguageDocument[];
  readonly after: readonly LanguageDocument[];
  /** The names of the two versions. */
  readonly names: { readonly before: string; readonly after: string };
}

/** The changes in the text, word by word and language by language; loaded when it is opened. */
export function TextDifference(props: TextDifferenceProps) {
  const texts = useComparisonTexts();
  const [isOpen, setOpen] = useState(false);
  const { before, after, names } = props;
  return (
    <details className={styles.difference} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.show(names.before, names.after)}</summary>
      {isOpen && <Compared before={before} after={after} names={names} />}
    </details>
  );
}

const linkOf = ({ locale, sha256 }: LanguageDocument) => documentOf(locale, "", sha256).content;

function Compared({ before, after, names }: TextDifferenceProps) {
  const comparisonTexts = useComparisonTexts();
  const { tag } = useLanguage().language;
  const texts = useTexts(tag, undefined);
  const id = useId();
  const [chosen, choose] = useState<string>();
  const [layout, setLayout] = useState<"inline" | "side-by-side">("inline");
  const pairs = after.flatMap((now) => {
    const old = before.find(({ locale }) => locale === now.locale);
    return old ? [{ locale: now.locale, before: old, after: now }] : [];
  });
  const pair = pairs.find(({ locale }) => locale === chosen) ?? pairs[0];
  const alone = after.filter(({ locale }) => !pairs.some((pair) => pair.locale === locale));
  const list = new Intl.ListFormat(tag);
  const named = (of: readonly { readonly locale: string }[]) =>
    list.format(of.map(({ locale }) => languageName(locale, tag)));
  return (
    <div className={styles.body}>
      {!pair && <p>{comparisonTexts.nothingInCommon}</p>}
      {pair && (
        <div className={styles.choices}>
          <div className="field">
            <label htmlFor={`${id}language`}>{comparisonTexts.language}</label>
            <select
              id={`${id}language`}
              value={pair.locale}
              onChange={(event) => choose(event.target.value)}
            >
              {pairs.map(({ locale }) => (
                <option key={locale} value={locale}>
                  {languageName(locale, tag)}
                </option>
              ))}
            </select>
          </div>
          <fieldset className={styles.layouts}>
            <legend>{comparisonTexts.layout}</legend>
            {(["inline", "side-by-side"] as const).map((option) => (
              <label key={option}>
                <input
                  type="radio"
                  name={`${id}layout`}
                  checked={option === layout}
                  onChange={() => setLayout(option)}
                />
                {comparisonTexts.layouts[option]}
              </label>
            ))}
          </fieldset>
        </div>
      )}
      {alone.length > 0 && pair && <p className="note">{comparisonTexts.onlyNow(named(alone))}</p>}
      {pair && texts && (
        <div className={`mu-changes ${styles.text}`}>
          {pair.before.sha256 === pair.after.sha256 ? (
            <p>{comparisonTexts.sameFile}</p>
          ) : (
            <DocumentChanges
              before={linkOf(pair.before)}
              after={linkOf(pair.after)}
              locale={pair.locale}
              texts={texts}
              layout={layout === "inline" ? { kind: layout } : { kind: layout, ...names }}
              fetch={fetchDocument}
            />
          )}
        </div>
      )}
    </div>
  );
}
