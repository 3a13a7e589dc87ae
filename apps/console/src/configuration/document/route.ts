import { createRoute, retainSearchParams } from "@tanstack/react-router";
import { inside } from "../../routes/inside";
import { type EnvironmentSearch, readEnvironmentSearch } from "./environment-search";

/** The parent route of all pages about flags. Links between them keep the environment. */
export const inEnvironment = createRoute({
  getParentRoute: () => inside,
  id: "environment",
  validateSearch: readEnvironmentSearch,
  search: { middlewares: [retainSearchParams<EnvironmentSearch>(["env"])] },
});
