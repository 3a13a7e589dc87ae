import { useState } from "react";
import { dateFormat } from "../language/date-format";
import { languageName } from "../language/in-language";
import { useLanguage } from "../language/language-context";
import type { PublishedTerm } from "../terms/terms-query";
import { ChoiceField } from "../ui/choice-field";
import styles from "./campaigns.module.css";
import type { Channel } from "./campaigns-queries";
import { fill, type Values } from "./template";
import { useCampaignsTexts } from "./texts/texts";

/** A name that would add markup, a header and a placeholder, and turn the text around. */
const HOSTILE_NAME = "<b>Eve</b>\r\nBcc: all@example.org \u202E{{link}}";

interface MessagePreviewProps {
  readonly texts: Readonly<Record<string, { readonly subject: string; readonly body: string }>>;
  readonly term: PublishedTerm | undefined;
  readonly channels: readonly Channel[];
}

/** A message with its placeholders replaced, for a language and a name. */
export function MessagePreview({ texts: messages, term, channels }: MessagePreviewProps) {
  const texts = useCampaignsTexts();
  const { tag } = useLanguage().language;
  const locales = Object.keys(messages);
  const [chosen, setChosen] = useState("");
  const [name, setName] = useState<keyof typeof texts.names>("plain");
  const locale = [chosen, tag, ...locales].find((one) => locales.includes(one)) ?? "";
  const message = messages[locale];
  const names = { plain: texts.exampleName, hostile: HOSTILE_NAME, none: "" } as const;
  const values = valuesOf(term, locale, names[name]);
  if (!message) return null;
  return (
    <>
      <div className={styles.fields}>
        <ChoiceField
          label={texts.previewLanguage}
          value={locale}
          options={locales.map((value) => ({ value, label: languageName(value, tag) }))}
          onChange={setChosen}
        />
        <ChoiceField
          label={texts.previewName}
          value={name}
          options={(["plain", "hostile", "none"] as const).map((value) => ({
            value,
            label: texts.names[value],
          }))}
          onChange={setName}
        />
      </div>
      <article className={styles.message} aria-label={texts.preview} lang={locale}>
        <p>
          <strong dir="auto">{fill(message.subject, values)}</strong>
        </p>
        <p dir="auto">{fill(message.body, values)}</p>
      </article>
      {channels.includes("push") && <p className="note">{texts.pushPreview}</p>}
    </>
  );
}

/** Returns the values of the placeholders as in a message in this language. */
function valuesOf(term: PublishedTerm | undefined, locale: string, name: string): Values {
  const variants = term?.variants ?? [];
  const base = locale.split("-")[0];
  const variant =
    variants.find((one) => one.locale === locale) ??
    variants.find((one) => one.locale.split("-")[0] === base) ??
    variants[0];
  const deadline = term?.grace_until ?? term?.effective_from;
  const path = term?.kind === "notice" ? "notices" : "terms";
  return {
    name,
    title: variant?.title ?? "",
    link: `${location.origin}/${path}`,
    deadline: deadline === undefined ? "" : writtenDay(deadline, locale),
  };
}

/** Writes a day as the server does: by the language alone, and in English with the day first. */
function writtenDay(instant: string, locale: string): string {
  const language = locale.split("-")[0] ?? "";
  try {
    const format = dateFormat(language, "long", "UTC", ["en-GB"]);
    return format.format(new Date(instant));
  } catch {
    return instant;
  }
}
