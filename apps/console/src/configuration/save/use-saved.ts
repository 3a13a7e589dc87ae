import { HttpError } from "@musette/client/http";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client";
import { useLanguage } from "../../language/language-context";
import { toasts } from "../../toast/toasts";
import { environmentKey } from "../document/flags-document";
import { useConfigurationTexts } from "../texts/texts";

/** Shows a toast after a save. Its undo works until another person saves a version. */
export function useSaved(environment: string, saved: (version: string) => string) {
  const client = useQueryClient();
  const configurationTexts = useConfigurationTexts();
  const { texts } = useLanguage();

  async function revert(version: number): Promise<void> {
    try {
      await api.post("/api/admin/v1/environments/{environment}/versions/{version}/revert", {
        path: { environment, version: version - 1 },
        ifMatch: `"${version}"`,
      });
      toasts.say(configurationTexts.reverted(String(version - 1)));
    } catch (error) {
      const isLate = error instanceof HttpError && error.status === 412;
      toasts.say(isLate ? configurationTexts.notReverted : texts.failure.server);
    }
    await client.invalidateQueries({ queryKey: environmentKey(environment) });
  }

  return (version: number): void => toasts.say(saved(String(version)), () => revert(version));
}
