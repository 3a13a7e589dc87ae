import type { Schema } from "../api";
import { caller, type TermsClientOptions } from "./reads";
import { askedTypes } from "./term";

/**
 * The markets that an applicant chooses from, such as `DE-BE.berlin`, and what the company calls them. None: everybody
 * has the same terms, and nobody has to choose.
 */
export async function fetchMarkets(
  { termsType }: { readonly termsType: string },
  options: TermsClientOptions = {},
): Promise<Schema<"OfferedMarkets">> {
  return caller(options)(`/public/markets?types=${askedTypes(termsType)}`);
}

/**
 * What a market is called in a language: `Kreuzberg, Berlin, Germany`. The names of countries are the browser's, those
 * of subdivisions and places the company's: `names`, by code. Without them: `Kreuzberg, Germany (BE)`.
 */
export function marketName(
  code: string,
  locale: string | undefined,
  names: Readonly<Record<string, string>> = {},
): string {
  const [area = "", place] = code.split(".");
  const [country = "", subdivision] = area.split("-");
  const parts = [countryName(country, locale)];
  if (names[area] && subdivision) parts.unshift(names[area]);
  else if (subdivision) parts[0] += ` (${subdivision})`;
  if (place) {
    const words = place.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    const name = names[code] ?? words.join(" ");
    // The city of Berlin is the whole state.
    if (name !== parts[0]) parts.unshift(name);
  }
  // Intl.ListFormat would put an Arabic "and" between them.
  return parts.join(/^(ar|ur)\b/.test(locale ?? "") ? "، " : ", ");
}

function countryName(code: string, locale: string | undefined): string {
  try {
    return new Intl.DisplayNames(locale, { type: "region" }).of(code) ?? code;
  } catch {
    // A code that was withdrawn, or that this browser is too old for.
    return code;
  }
}
