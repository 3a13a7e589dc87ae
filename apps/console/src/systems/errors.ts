import { HttpError } from "@musette/client/http";
import type { SystemsTexts } from "./texts/texts";

/** Returns the error of a field, by its JSON pointer. */
export type ErrorAt = (pointer: string) => string | undefined;

/** Reads the errors of fields from the response to a save. */
export function errorAt(error: unknown, texts: SystemsTexts): ErrorAt {
  const errors = error instanceof HttpError ? (error.problem?.errors ?? []) : [];
  return (pointer) => {
    const match = errors.find((error) => error.pointer === pointer);
    return match && (texts.errors[match.code] ?? match.detail);
  };
}

/** Whether the error names fields, which then show it. */
export const isAboutFields = (error: unknown): boolean =>
  error instanceof HttpError && error.status === 422 && (error.problem?.errors ?? []).length > 0;
