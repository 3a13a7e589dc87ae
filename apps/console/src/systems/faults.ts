import { HttpError } from "@musette/client/http";
import type { SystemsTexts } from "./texts/texts";

/** Returns the error of a field, by its JSON pointer. */
export type FaultAt = (pointer: string) => string | undefined;

/** Reads the errors of fields from the response to a save. */
export function faultAt(error: unknown, texts: SystemsTexts): FaultAt {
  const errors = error instanceof HttpError ? (error.problem?.errors ?? []) : [];
  return (pointer) => {
    const match = errors.find((fault) => fault.pointer === pointer);
    return match && (texts.faults[match.code] ?? match.detail);
  };
}

/** Whether the error names fields, which then show it. */
export const isAboutFields = (error: unknown): boolean =>
  error instanceof HttpError && error.status === 422 && (error.problem?.errors ?? []).length > 0;
