import { HttpError } from "@musette/client/http";
import type { TermsTexts } from "../texts/texts";
import type { Fault } from "./draft-calls";
import type { SaveState } from "./draft-keeper";

/** Returns the id of the field for a pointer, so that an error can link to it. */
export const fieldId = (pointer: string) => `draft${pointer.replaceAll("/", "-")}`;

export function faultWords(fault: Fault, texts: TermsTexts): string {
  const where = fault.pointer.replace(/\/\d+/, "");
  const { faults } = texts.draft;
  return faults[`${fault.code} ${where}`] ?? faults[fault.code] ?? fault.detail;
}

/** Returns the server's errors about the form of the typed text, with which it is not saved at all. */
export function shapeFaults(keeping: SaveState): readonly Fault[] {
  if (keeping.kind !== "refused" || !(keeping.error instanceof HttpError)) return [];
  return keeping.error.problem?.errors ?? [];
}

/** Returns the error text for a field. */
export type FaultAt = (pointer: string) => string | undefined;

export const faultAt =
  (faults: readonly Fault[], texts: TermsTexts): FaultAt =>
  (pointer) => {
    const match = faults.find((fault) => fault.pointer === pointer);
    return match && faultWords(match, texts);
  };
