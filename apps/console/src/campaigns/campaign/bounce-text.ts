import type { CampaignsTexts } from "../texts/texts";

type Kind = keyof CampaignsTexts["bounceTexts"];

/** The meanings of enhanced status codes (RFC 3463) without their class, such as `1.1` of `5.1.1`. */
const EXACT: Readonly<Partial<Record<string, Kind>>> = {
  "1.1": "address",
  "1.2": "domain",
  "1.3": "address",
  "1.6": "address",
  "1.10": "domain",
  "2.1": "disabled",
  "2.2": "full",
  "2.3": "size",
  "3.4": "size",
};
/** The meanings of their subjects, for all other codes. */
const SUBJECTS: Readonly<Partial<Record<string, Kind>>> = {
  "1": "address",
  "4": "network",
  "7": "policy",
};

/** Returns what a status code of a receiving server means. */
export function bounceKind(status: string): Kind {
  const [, subject = "", detail = ""] = /^[245]\.(\d{1,3})\.(\d{1,3})$/.exec(status) ?? [];
  return EXACT[`${subject}.${detail}`] ?? SUBJECTS[subject] ?? "other";
}
