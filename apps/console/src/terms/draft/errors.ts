import { HttpError } from "@musette/client/http";
import type { TermsTexts } from "../texts/texts";
import type { DraftError } from "./draft-calls";
import type { SaveState } from "./draft-keeper";

/** Returns the id of the field for a pointer, so that an error can link to it. */
export const fieldId = (pointer: string) => `draft${pointer.replaceAll("/", "-")}`;

export function errorTexts(error: DraftError, texts: TermsTexts): string {
  const where = error.pointer.replace(/\/\d+/, "");
  const { errors } = texts.draft;
  return errors[`${error.code} ${where}`] ?? errors[error.code] ?? error.detail;
}

/** Returns the server's errors about the form of the typed text, with which it is not saved at all. */
export function shapeErrors(keeping: SaveState): readonly DraftError[] {
  if (keeping.kind !== "refused" || !(keeping.error instanceof HttpError)) return [];
  return keeping.error.problem?.errors ?? [];
}

/** Returns the error text for a field. */
export type ErrorAt = (pointer: string) => string | undefined;

export const errorAt =
  (errors: readonly DraftError[], texts: TermsTexts): ErrorAt =>
  (pointer) => {
    const match = errors.find((error) => error.pointer === pointer);
    return match && errorTexts(match, texts);
  };
