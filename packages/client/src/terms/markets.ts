import type { Schema } from "../api";
import { caller, type TermsClientOptions } from "./reads";
import { askedTypes } from "./term";

/**
 * The codes of the markets that an applicant chooses from, such as `DE-BE.berlin`. None: everybody has the same terms,
 * and nobody has to choose.
 */
export async function fetchMarkets(
  { termsType }: { readonly termsType: string },
  options: TermsClientOptions = {},
): Promise<readonly string[]> {
  const path = `/public/markets?types=${askedTypes(termsType)}`;
  const { markets } = await caller(options)<Schema<"OfferedMarkets">>(path);
  return markets;
}

/** What a market is called in a language: `Berlin, Germany (BE)`. The names of countries are the browser's. */
export function marketName(code: string, locale: string | undefined): string {
  const [area = "", place] = code.split(".");
  const [country = "", subdivision] = area.split("-");
  const named = `${countryName(country, locale)}${subdivision ? ` (${subdivision})` : ""}`;
  if (!place) return named;
  const words = place.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  // Intl.ListFormat would put an Arabic "and" between them.
  const comma = /^(ar|ur)\b/.test(locale ?? "") ? "، " : ", ";
  return words.join(" ") + comma + named;
}

function countryName(code: string, locale: string | undefined): string {
  try {
    return new Intl.DisplayNames(locale, { type: "region" }).of(code) ?? code;
  } catch {
    // A code that was withdrawn, or that this browser is too old for.
    return code;
  }
}
