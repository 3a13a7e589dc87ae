import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { readStored, writeStored } from "../../storage/storage";
import { environmentsQuery } from "./environment-queries";
import { chooseEnvironment } from "./environment-search";

export const REMEMBERED = "musette.console.environment";

/**
 * Returns the environment that the page shows, and all environments. Until they are loaded, it is the
 * one of the last visit, so that its queries do not wait for the list. The name is empty if there is
 * none.
 */
export function useEnvironment() {
  const { env: requested } = useSearch({ from: "/inside/environment" });
  const navigate = useNavigate();
  const environments = useQuery(environmentsQuery);
  const names = environments.data?.map(({ name }) => name) ?? [];
  const remembered = readStored(REMEMBERED);
  // The one of a link may not exist, or not be theirs.
  const guessed = requested === undefined || requested === remembered ? remembered : undefined;
  const env = environments.data ? chooseEnvironment(names, requested, remembered) : (guessed ?? "");

  useEffect(() => {
    if (!env || !environments.data) return;
    writeStored(REMEMBERED, env);
    // Updates the address, so that a shared link shows the same environment.
    if (requested !== env) {
      void navigate({ to: ".", search: (former) => ({ ...former, env }), replace: true });
    }
  }, [env, requested, environments.data, navigate]);

  const choose = (name: string) =>
    void navigate({ to: ".", search: (former) => ({ ...former, env: name }) });
  // Set only once, because the address then contains the other environment.
  const isUnknown = environments.data && env && requested && !names.includes(requested);
  const missing = isUnknown ? requested : undefined;
  return { env, missing, names, environments, choose };
}
