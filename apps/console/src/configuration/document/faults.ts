import { HttpError, type ProblemEntry } from "@musette/client/http";
import type { FlagsDocument } from "./document";
import { itemsOf, keyOf, SECTIONS, type SectionName } from "./objects";

/** An error in a configuration, located by a JSON pointer. */
export type Fault = ProblemEntry;

/** The object that contains an error. */
export interface Placed {
  readonly section: SectionName;
  readonly key: string;
  /** Relative to the object. */
  readonly rest: string;
}

/** Returns all errors of a 422 response; undefined for any other error. */
export function faultsOf(error: unknown): readonly Fault[] | undefined {
  if (!(error instanceof HttpError) || error.status !== 422) return undefined;
  const { problem } = error;
  return problem?.code === "invalid_document" ? problem.errors : undefined;
}

export function placeOf(document: FlagsDocument, pointer: string): Placed | undefined {
  const [, section, index, ...rest] = pointer.split("/");
  const name = SECTIONS.find((name) => name === section);
  const item = name && itemsOf(document, name)[Number(index)];
  if (!name || !item) return undefined;
  return { section: name, key: keyOf(item), rest: rest.map((segment) => `/${segment}`).join("") };
}

/** Returns the errors of one object, with pointers relative to it. */
export function faultsIn(
  document: FlagsDocument,
  faults: readonly Fault[],
  section: SectionName,
  key: string,
): readonly Fault[] {
  return faults.flatMap((fault) => {
    const place = placeOf(document, fault.pointer);
    if (place?.section !== section || place.key !== key) return [];
    return [{ ...fault, pointer: place.rest }];
  });
}
