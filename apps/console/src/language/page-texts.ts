import { use } from "react";
import { useLanguage } from "./language-context";

/** One loader for each language. The texts of a page load with the page. */
export type PageTexts<T> = Readonly<
  Record<"en" | "de" | "es" | "fr" | "pt" | "ar", () => Promise<T>>
>;

/** Creates the hook that reads the texts of a page. It suspends until they are loaded. */
export function pageTexts<T>(loaders: PageTexts<T>): () => T {
  const loading = new Map<string, Promise<T>>();
  return () => {
    const { tag } = useLanguage().language;
    let promise = loading.get(tag);
    if (!promise) {
      promise = (loaders[tag as keyof PageTexts<T>] ?? loaders.en)();
      // A failed load is not cached: the next attempt fetches again.
      promise.catch(() => loading.delete(tag));
      loading.set(tag, promise);
    }
    return use(promise);
  };
}
