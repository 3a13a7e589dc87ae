import { createRoute, retainSearchParams } from "@tanstack/react-router";
import { inside } from "../../routes/inside";
import { type EnvironmentSearch, readEnvironmentSearch } from "./environment-search";

/** Above all pages about flags: which environment they show goes along from one to the next. */
export const inEnvironment = createRoute({
  getParentRoute: () => inside,
  id: "environment",
  validateSearch: readEnvironmentSearch,
  search: { middlewares: [retainSearchParams<EnvironmentSearch>(["env"])] },
});
