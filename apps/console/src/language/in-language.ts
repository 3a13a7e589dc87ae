import { chooseLanguage } from "./choose-language";

/** Returns the variant for a reader of this language; otherwise the first, which is the default. */
export function inLanguage<Variant extends { readonly locale: string }>(
  variants: readonly Variant[],
  language: string,
): Variant | undefined {
  const locale = chooseLanguage(
    language,
    variants.map((variant) => variant.locale),
  );
  return variants.find((variant) => variant.locale === locale) ?? variants[0];
}

interface Summarised {
  readonly summary?: string | null;
  readonly variants: readonly { readonly locale: string; readonly summary?: string | null }[];
}

/** Returns the summary of the change for a reader of this language. */
export function summaryIn(term: Summarised, language: string): string | undefined {
  return inLanguage(term.variants, language)?.summary ?? term.summary ?? undefined;
}

/**
 * Returns "German" for `de`, in the reader's language, and "Cyrillic" for `und-Cyrl`; the tag itself
 * if it has no name.
 */
export function languageName(locale: string, reader: string): string {
  const script = /^und-(\w{4})$/.exec(locale)?.[1];
  try {
    if (script) return new Intl.DisplayNames([reader], { type: "script" }).of(script) ?? locale;
    return new Intl.DisplayNames([reader], { type: "language" }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}
