import type { ComponentType } from "react";
import { LoadFailed, LoadingCards } from "../loading/states";
import { useLoad } from "../loading/use-load";

/** Loads a page in a separate chunk. Most people come for the terms, and should not wait for the rest. */
export function lazyPage(fetchPage: () => Promise<ComponentType>): ComponentType {
  let loadedPage: ComponentType | undefined;
  const load = async () => {
    loadedPage ??= await fetchPage();
  };
  return function Later() {
    const loaded = useLoad(load);
    const Page = loadedPage;
    if (Page) return <Page />;
    return loaded.state === "failed" ? (
      <LoadFailed error={loaded.error} onRetry={loaded.reload} />
    ) : (
      <LoadingCards />
    );
  };
}
