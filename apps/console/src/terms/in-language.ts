import { lookup } from "@musette/react/texts";
import type { PublishedTerm } from "./terms-query";

/** The one that a reader of this language is shown, else the first, which is the default. */
export function inLanguage<Variant extends { readonly locale: string }>(
  variants: readonly Variant[],
  language: string,
): Variant | undefined {
  const locale = lookup(
    language,
    variants.map((variant) => variant.locale),
  );
  return variants.find((variant) => variant.locale === locale) ?? variants[0];
}

/** What a reader of this language is told of the change. */
export function summaryIn(term: PublishedTerm, language: string): string | undefined {
  return inLanguage(term.variants, language)?.summary ?? term.summary;
}

/** "German" for `de`, in the language of the reader; the tag itself where nobody has a name for it. */
export function languageName(locale: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: "language" }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}
