import { useCallback } from "react";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { LoadFailed, LoadingCards } from "../loading/states";
import { useLoad } from "../loading/use-load";
import { SystemCard } from "./system-card";
import { fetchSystems } from "./systems";

/** The public register of automated systems, in plain words. */
export function SystemsPage() {
  const { language, texts } = usePageLanguage();
  const query = new URLSearchParams(window.location.search);
  const market = query.get("market");
  const at = query.get("at");
  const key = query.get("system");
  const load = useCallback(async () => {
    const systems = await fetchSystems(language.tag, market, at);
    // The link of a decision leads to the description of its system.
    const linked = systems.filter((system) => system.key === key);
    return linked.length > 0 ? linked : systems;
  }, [language.tag, market, at, key]);
  const loaded = useLoad(load);
  const isEmpty = loaded.state === "ready" && loaded.value.length === 0;
  return (
    <>
      <h1>{texts.systems.title}</h1>
      {!isEmpty && <p className="lead">{texts.systems.intro}</p>}
      {at && !isEmpty && (
        <p className="note">{texts.systems.asOf(dateAndTime(language.tag, at))}</p>
      )}
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
