import type { Schema } from "../api";
import { createCall, type TermsClientOptions } from "./reads";
import { askedTypes } from "./term";

/**
 * Fetches the markets that an applicant chooses from, such as `DE-BE.berlin`, and their names from the
 * company. Without any market, all applicants have the same terms and need not choose.
 */
export async function fetchMarkets(
  { termsType }: { readonly termsType: string },
  options: TermsClientOptions = {},
): Promise<Schema<"OfferedMarkets">> {
  return createCall(options)(`/public/markets?types=${askedTypes(termsType)}`);
}

/**
 * Returns the name of a market in a language: `Kreuzberg, Berlin, Germany`. The browser provides the names
 * of countries. The company provides the names of subdivisions and places in `names`, by code. Without
 * `names` the result is `Kreuzberg, Germany (BE)`.
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
    // Skips the place if it has the name of the subdivision, like Berlin, which is both city and state.
    if (name !== parts[0]) parts.unshift(name);
  }
  // Intl.ListFormat would insert an Arabic "and".
  return parts.join(/^(ar|ur)\b/.test(locale ?? "") ? "، " : ", ");
}

function countryName(code: string, locale: string | undefined): string {
  try {
    return new Intl.DisplayNames(locale, { type: "region" }).of(code) ?? code;
  } catch {
    // The code was withdrawn, or the browser is too old for it.
    return code;
  }
}
