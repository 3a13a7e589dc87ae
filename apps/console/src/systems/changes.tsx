import { useLanguage } from "../language/language-context";
import { languageName } from "./language-name";
import styles from "./systems.module.css";
import type { SystemChange } from "./systems-queries";
import { type SystemsTexts, useSystemsTexts } from "./texts/texts";

/** Returns the label of a changed member: the field, its language, and the item of a list. */
export function changeLabel(change: SystemChange, texts: SystemsTexts, reader: string): string {
  const [, tag, member] = /^texts\.([^.]+)(?:\.(.+))?$/.exec(change.field) ?? [];
  const name = tag ? member : change.field;
  const label = name ? (texts.fields[name] ?? name) : texts.fields.texts;
  const parts = [tag && languageName(tag, reader), label, change.item];
  return parts.filter(Boolean).join(" · ");
}

/** The differences between two versions, as a list of the texts before and after. */
export function Changes({ changes }: { readonly changes: readonly SystemChange[] }) {
  const texts = useSystemsTexts();
  const { tag } = useLanguage().language;
  if (changes.length === 0) return <p className="note">{texts.noChanges}</p>;
  const written = (field: string, text: string) => {
    if (field === "kind") return texts.kinds[text as keyof SystemsTexts["kinds"]];
    if (field === "parameters.weight") return texts.weights[text as keyof SystemsTexts["weights"]];
    return text;
  };
  return (
    <ul className={styles.changes}>
      {changes.map((change) => {
        const { field, item, before, after } = change;
        return (
          <li key={`${field} ${item} ${before} ${after}`}>
            <strong>
              <bdi>{changeLabel(change, texts, tag)}</bdi>
            </strong>
            {before !== null && (
              <p>
                <span className="mu-hidden">{texts.before}: </span>
                <del dir="auto">{written(field, before)}</del>
              </p>
            )}
            {after !== null && (
              <p>
                <span className="mu-hidden">{texts.after}: </span>
                <ins dir="auto">{written(field, after)}</ins>
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
