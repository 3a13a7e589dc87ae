import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inEnvironment } from "../configuration/document/route";
import { readFlagsSearch } from "./flags-search";

const flags = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags",
  validateSearch: readFlagsSearch,
  component: lazyRouteComponent(() => import("./flags-page"), "FlagsPage"),
});

const flagPage = lazyRouteComponent(() => import("./flag-page"), "FlagPage");

const flag = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/$key",
  component: flagPage,
});

/** For a flag whose key is the name of one of the pages above. */
const flagByKey = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/key/$key",
  component: flagPage,
});

export const flagsRoutes = [flags, flag, flagByKey] as const;
