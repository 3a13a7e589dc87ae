import { answersOfPage } from "../reading/use-read";
import { TERMS } from "./use-terms";

/** Asks anew for the terms that are on the screen: something outside of it knows that they are old. Never rejects. */
export function refetchTerms(): Promise<void> {
  return answersOfPage.refetchAll(JSON.stringify([TERMS]).slice(0, -1));
}
