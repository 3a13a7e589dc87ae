import type { DraftBody } from "./draft";
import type { DraftError } from "./draft-calls";

/** Returns the languages whose document has a text in another language, according to the server. */
export function otherLanguages(warnings: readonly DraftError[], { variants }: DraftBody) {
  return warnings.flatMap(({ code, pointer }) => {
    const variant = variants[Number(/^\/variants\/(\d+)/.exec(pointer)?.[1])];
    const detected = variant?.document?.language;
    if (code !== "other_language" || detected === undefined) return [];
    return [{ locale: variant?.locale ?? "", detected }];
  });
}
