import { useQueryClient } from "@tanstack/react-query";
import { toasts } from "../../toast/toasts";
import type { PublishedTerm } from "../terms-query";
import { undoCancellation, undoRetirement } from "./ending-calls";
import { useEndingTexts } from "./texts/texts";

/** Shows a toast after an action on a published version, with an undo while it is possible. */
export function useEnding(term: PublishedTerm) {
  const texts = useEndingTexts();
  const client = useQueryClient();
  const reread = async () => {
    await Promise.all(
      ["terms", "overview"].map((key) => client.invalidateQueries({ queryKey: [key] })),
    );
  };
  const undone = async (undo: typeof undoCancellation, breakGlass?: string) => {
    await undo(term, breakGlass);
    toasts.say(texts.undone);
    await reread();
  };
  const undo = {
    cancellation: (breakGlass?: string) => undone(undoCancellation, breakGlass),
    retirement: (breakGlass?: string) => undone(undoRetirement, breakGlass),
  };
  const announce = async (text: string, back?: () => Promise<void>) => {
    const orSayWhy = back && (() => back().catch(() => toasts.say(texts.notUndone)));
    toasts.say(text, orSayWhy);
    await reread();
  };
  return { announce, undo };
}
