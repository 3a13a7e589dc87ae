import { lookup } from "@musette/react/texts";
import type { PublishedTerm } from "./terms-query";

/** Returns the variant for a reader of this language; otherwise the first, which is the default. */
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

/** Returns the summary of the change for a reader of this language. */
export function summaryIn(term: PublishedTerm, language: string): string | undefined {
  return inLanguage(term.variants, language)?.summary ?? term.summary;
}

/** Returns "German" for `de`, in the reader's language; the tag itself if it has no name. */
export function languageName(locale: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: "language" }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}
