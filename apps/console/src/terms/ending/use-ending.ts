import { useQueryClient } from "@tanstack/react-query";
import { toasts } from "../../toast/toasts";
import type { PublishedTerm } from "../terms-query";
import { undoCancellation, undoRetirement } from "./ending-calls";
import { useEndingTexts } from "./texts/texts";

/** Says what was done with a published version, and offers the way back as long as there is one. */
export function useEnding(term: PublishedTerm) {
  const words = useEndingTexts();
  const client = useQueryClient();
  const reread = async () => {
    await Promise.all(
      ["terms", "overview"].map((key) => client.invalidateQueries({ queryKey: [key] })),
    );
  };
  const undone = async (undo: typeof undoCancellation, breakGlass?: string) => {
    await undo(term, breakGlass);
    toasts.say(words.undone);
    await reread();
  };
  const undo = {
    cancellation: (breakGlass?: string) => undone(undoCancellation, breakGlass),
    retirement: (breakGlass?: string) => undone(undoRetirement, breakGlass),
  };
  const done = async (said: string, back?: () => Promise<void>) => {
    const orSayWhy = back && (() => back().catch(() => toasts.say(words.notUndone)));
    toasts.say(said, orSayWhy);
    await reread();
  };
  return { done, undo };
}
