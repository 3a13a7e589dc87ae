import { lookup } from "@musette/react/texts";

/** Names of languages that have another tag today, and varieties that are written alike. */
const SAME: Readonly<Record<string, string>> = {
  iw: "he",
  in: "id",
  ji: "yi",
  mo: "ro",
  tl: "fil",
  no: "nb",
  nn: "nb",
};

/** A language that most readers of this one read as well (CLDR `languageMatching`). */
const RELATED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["gsw", "lb", "nds", "bar"].map((tag) => [tag, "de"])),
  ...Object.fromEntries(["ca", "gl", "eu", "ast", "an"].map((tag) => [tag, "es"])),
  ...Object.fromEntries(["br", "co", "oc", "wa"].map((tag) => [tag, "fr"])),
  ...Object.fromEntries(["scn", "nap", "vec", "lmo"].map((tag) => [tag, "it"])),
  ...Object.fromEntries(["szl", "csb"].map((tag) => [tag, "pl"])),
};

interface Parts {
  readonly language: string;
  readonly script: string;
  readonly region: string;
}

function partsOf(tag: string): Parts {
  const [first = "", ...others] = tag.toLowerCase().replaceAll("_", "-").split("-");
  const language = SAME[first] ?? first;
  // Extensions begin with a single letter.
  const extension = others.findIndex((part) => part.length <= 1);
  const rest = extension < 0 ? others : others.slice(0, extension);
  const region = rest.find((part) => /^(?:[a-z]{2}|\d{3})$/.test(part)) ?? "";
  const script = rest.find((part) => /^[a-z]{4}$/.test(part)) ?? likelyScript(language, region);
  return { language, script, region };
}

/** The script of a language that is written in several, where the tag does not name it. */
function likelyScript(language: string, region: string): string {
  if (language === "zh") return ["tw", "hk", "mo"].includes(region) ? "hant" : "hans";
  if (language === "sr") return region === "me" ? "latn" : "cyrl";
  return ["pa-pk", "uz-af", "az-ir"].includes(`${language}-${region}`) ? "arab" : "";
}

/** Regions whose speakers understand each other's variety best, as CLDR's parent locales group them. */
function regionGroup({ language, region }: Parts): string {
  switch (language) {
    case "en":
      return ["", "us", "as", "gu", "mp", "ph", "pr", "um", "vi"].includes(region) ? "us" : "001";
    case "es":
      return ["", "es", "ea", "gq", "ic", "ph"].includes(region) ? "es" : "419";
    case "pt":
      return ["", "br"].includes(region) ? "br" : "pt";
    case "zh":
      return ["hk", "mo"].includes(region) ? "hk" : "";
    default:
      return "";
  }
}

/** The script counts most, then the group of regions, then the region. */
function distance(wanted: Parts, offered: Parts): number {
  const group = regionGroup(wanted);
  const isClose = offered.region === "" || offered.region === group;
  const region = offered.region === wanted.region ? 0 : isClose ? 1 : 2;
  return (
    Number(wanted.script !== offered.script) * 8 +
    Number(group !== regionGroup(offered)) * 4 +
    region
  );
}

function closest(wanted: Parts, offered: readonly string[]): string | undefined {
  const same = offered.filter((tag) => partsOf(tag).language === wanted.language);
  const by = (tag: string) => distance(wanted, partsOf(tag));
  return same.sort((a, b) => by(a) - by(b))[0];
}

/**
 * Returns the offered language for a reader of this one, as the server chooses it for a rider:
 * RFC 4647 lookup, then the closest tag of the same language, then one that its speakers read.
 */
export function chooseLanguage(wanted: string, offered: readonly string[]): string | undefined {
  const parts = partsOf(wanted);
  const related = RELATED[parts.language];
  return (
    lookup(wanted, offered) ??
    closest(parts, offered) ??
    (related === undefined ? undefined : closest(partsOf(related), offered))
  );
}
