import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { readStored, writeStored } from "../../storage/storage";
import { environmentsQuery } from "./environment-queries";
import { chooseEnvironment } from "./environment-search";

export const REMEMBERED = "musette.console.environment";

/**
 * Returns the environment that the page shows, and all environments. The name is empty until they
 * are loaded, or if there are none: queries about it wait meanwhile.
 */
export function useEnvironment() {
  const { env: requested } = useSearch({ from: "/inside/environment" });
  const navigate = useNavigate();
  const environments = useQuery(environmentsQuery);
  const names = environments.data?.map(({ name }) => name) ?? [];
  const env = chooseEnvironment(names, requested, readStored(REMEMBERED));

  useEffect(() => {
    if (!env) return;
    writeStored(REMEMBERED, env);
    // Updates the address, so that a shared link shows the same environment.
    if (requested !== env) {
      void navigate({ to: ".", search: (former) => ({ ...former, env }), replace: true });
    }
  }, [env, requested, navigate]);

  const choose = (name: string) =>
    void navigate({ to: ".", search: (former) => ({ ...former, env: name }) });
  // Set only once, because the address then contains the other environment.
  const missing = requested && env && !names.includes(requested) ? requested : undefined;
  return { env, missing, names, environments, choose };
}
