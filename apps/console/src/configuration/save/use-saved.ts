import { HttpError } from "@musette/client/http";
import { useQueryClient } from "@tanstack/react-query";
import { changeAdmin } from "../../api/admin";
import { useLanguage } from "../../language/language-context";
import { toasts } from "../../toast/toasts";
import { environmentKey } from "../document/flags-document";

/** Says that a version was saved, and lets it be taken back while nobody has built upon it. */
export function useSaved(environment: string, words: (version: string) => string) {
  const client = useQueryClient();
  const { texts } = useLanguage();

  async function takeBack(version: number): Promise<void> {
    try {
      const before = `/environments/${encodeURIComponent(environment)}/versions/${version - 1}`;
      await changeAdmin(`${before}/revert`, { method: "POST", ifMatch: `"${version}"` });
    } catch (error) {
      const isLate = error instanceof HttpError && error.status === 412;
      toasts.say(isLate ? texts.failure.changed : texts.failure.server);
    }
    await client.invalidateQueries({ queryKey: environmentKey(environment) });
  }

  return (version: number): void => toasts.say(words(String(version)), () => takeBack(version));
}
