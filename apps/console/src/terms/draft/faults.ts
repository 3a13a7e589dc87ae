import { HttpError } from "@musette/client/http";
import type { TermsTexts } from "../texts/texts";
import type { Fault } from "./draft-calls";
import type { Keeping } from "./draft-keeper";

/** The id of the field that a pointer means, so that a fault can lead there. */
export const fieldId = (pointer: string) => `draft${pointer.replaceAll("/", "-")}`;

export function faultWords(fault: Fault, words: TermsTexts): string {
  const where = fault.pointer.replace(/\/\d+/, "");
  const { faults } = words.draft;
  return faults[`${fault.code} ${where}`] ?? faults[fault.code] ?? fault.detail;
}

/** What the server has against the form of what was typed: then it does not save it at all. */
export function shapeFaults(keeping: Keeping): readonly Fault[] {
  if (keeping.kind !== "refused" || !(keeping.error instanceof HttpError)) return [];
  return keeping.error.problem?.errors ?? [];
}

/** How a field asks for what is wrong with it. */
export type FaultAt = (pointer: string) => string | undefined;

export const faultAt =
  (faults: readonly Fault[], words: TermsTexts): FaultAt =>
  (pointer) => {
    const found = faults.find((fault) => fault.pointer === pointer);
    return found && faultWords(found, words);
  };
