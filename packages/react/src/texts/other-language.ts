const primary = (tag: string) => tag.split("-")[0]?.toLowerCase();

/**
 * How a language is called in ours, if it is another one than was asked for.
 *
 * @param locale - The language of a document.
 * @param asked - The language that the person reads.
 * @param lang - The language in which it is to be named.
 */
export function otherLanguage(
  locale: string | undefined,
  asked: string,
  lang = asked,
): string | undefined {
  if (!locale || primary(locale) === primary(asked)) return undefined;
  try {
    return new Intl.DisplayNames(lang, { type: "language" }).of(locale);
  } catch {
    return locale;
  }
}
