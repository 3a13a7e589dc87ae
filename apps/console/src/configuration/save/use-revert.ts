import { useQueryClient } from "@tanstack/react-query";
import { changeAdmin } from "../../api/admin";
import { toasts } from "../../toast/toasts";
import { environmentKey, type SavedVersion } from "../document/flags-document";
import { useConfigurationTexts } from "../texts/texts";

/** Takes a saved version back, unless somebody has saved another one since. */
export function useRevert(environment: string) {
  const words = useConfigurationTexts();
  const client = useQueryClient();
  return async (to: number, current: number): Promise<void> => {
    const path = `/environments/${encodeURIComponent(environment)}/versions/${to}/revert`;
    try {
      await changeAdmin<SavedVersion>(path, { method: "POST", ifMatch: `"${current}"` });
      toasts.say(words.reverted(String(to)));
    } catch {
      toasts.say(words.notReverted);
    }
    await client.invalidateQueries({ queryKey: environmentKey(environment) });
  };
}
