import { useCallback } from "react";
import { usePageLanguage } from "../language/page-language";
import { LoadFailed, LoadingCards } from "../loading/states";
import { useLoad } from "../loading/use-load";
import { SystemCard } from "./system-card";
import { fetchSystems } from "./systems";

/** The public register of automated systems, in plain words. */
export function SystemsPage() {
  const { language, texts } = usePageLanguage();
  const market = new URLSearchParams(window.location.search).get("market");
  const load = useCallback(() => fetchSystems(language.tag, market), [language.tag, market]);
  const loaded = useLoad(load);
  const isEmpty = loaded.state === "ready" && loaded.value.length === 0;
  return (
    <>
      <h1>{texts.systems.title}</h1>
      {!isEmpty && <p className="lead">{texts.systems.intro}</p>}
      {loaded.state === "loading" && <LoadingCards count={2} />}
      {loaded.state === "failed" && <LoadFailed error={loaded.error} onRetry={loaded.reload} />}
      {isEmpty && <p className="card">{texts.systems.none}</p>}
      {loaded.state === "ready" && !isEmpty && (
        <ul className="cards">
          {loaded.value.map((system) => (
            <SystemCard key={system.key} system={system} />
          ))}
        </ul>
      )}
    </>
  );
}
