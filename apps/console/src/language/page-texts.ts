import { use } from "react";
import { useLanguage } from "./language-context";

/** One loader for each language of the console: the words of a page come with it and not before. */
export type PageTexts<T> = Readonly<Record<"en" | "de" | "ar", () => Promise<T>>>;

/** Makes the hook by which a page reads its words; the page waits, as it does for its code. */
export function pageTexts<T>(loaders: PageTexts<T>): () => T {
  const loading = new Map<string, Promise<T>>();
  return () => {
    const { tag } = useLanguage().language;
    let words = loading.get(tag);
    if (!words) {
      words = (loaders[tag as keyof PageTexts<T>] ?? loaders.en)();
      // Offline once is not offline for ever: the next attempt fetches anew.
      words.catch(() => loading.delete(tag));
      loading.set(tag, words);
    }
    return use(words);
  };
}
