import { HttpError } from "@musette/client/http";
import type { CampaignsTexts } from "../texts/texts";

/** Returns the error of a field, by its JSON pointer. */
export type ErrorAt = (pointer: string) => string | undefined;

/** Returns a member's name as it is in a JSON pointer (RFC 6901). */
export const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** Reads the errors of fields from the response to a save. */
export function errorAt(error: unknown, texts: CampaignsTexts): ErrorAt {
  const errors = error instanceof HttpError ? (error.problem?.errors ?? []) : [];
  const textByCode: Readonly<Partial<Record<string, string>>> = texts.errors;
  return (pointer) => {
    const match = errors.find((error) => error.pointer === pointer);
    if (!match) return undefined;
    const field = pointer.split("/").at(-1) ?? "";
    const byField = /^\d+$/.test(field) ? "same_step" : field;
    const general = match.code === "invalid_value" ? textByCode[byField] : textByCode[match.code];
    return general ?? match.detail;
  };
}

/** Whether the error names fields, which then show it. */
export const isAboutFields = (error: unknown): boolean =>
  error instanceof HttpError && error.status === 422 && (error.problem?.errors ?? []).length > 0;
