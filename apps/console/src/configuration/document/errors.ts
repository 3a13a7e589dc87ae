import { HttpError, type ProblemEntry } from "@musette/client/http";
import type { FlagsDocument } from "./document";
import { itemsOf, keyOf, SECTIONS, type SectionName } from "./objects";

/** An error in a configuration, located by a JSON pointer. */
export type ConfigurationError = ProblemEntry;

/** The object that contains an error. */
export interface Placed {
  readonly section: SectionName;
  readonly key: string;
  /** Relative to the object. */
  readonly rest: string;
}

/** Returns all errors of a 422 response; undefined for any other error. */
export function errorsOf(error: unknown): readonly ConfigurationError[] | undefined {
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
export function errorsIn(
  document: FlagsDocument,
  errors: readonly ConfigurationError[],
  section: SectionName,
  key: string,
): readonly ConfigurationError[] {
  return errors.flatMap((error) => {
    const place = placeOf(document, error.pointer);
    if (place?.section !== section || place.key !== key) return [];
    return [{ ...error, pointer: place.rest }];
  });
}
