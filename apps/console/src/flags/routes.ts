import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readHistorySearch } from "../environment/history-search";
import { inEnvironment } from "../environment/route";
import { readFlagsSearch } from "./flags-search";

const flags = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags",
  validateSearch: readFlagsSearch,
  component: lazyRouteComponent(() => import("./flags-page"), "FlagsPage"),
});

const history = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/history",
  validateSearch: readHistorySearch,
  component: lazyRouteComponent(() => import("../environment/history-page"), "HistoryPage"),
});

const planned = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/planned",
  component: lazyRouteComponent(() => import("../environment/planned-page"), "PlannedPage"),
});

const stale = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/stale",
  component: lazyRouteComponent(() => import("./stale-page"), "StalePage"),
});

const json = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/json",
  component: lazyRouteComponent(() => import("../environment/json-page"), "JsonPage"),
});

const segments = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/segments",
  component: lazyRouteComponent(() => import("../segments/segments-page"), "SegmentsPage"),
});

const segment = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/segments/$key",
  component: lazyRouteComponent(() => import("../segments/segment-page"), "SegmentPage"),
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

export const flagsRoutes = [
  flags,
  history,
  planned,
  stale,
  json,
  segments,
  segment,
  flag,
  flagByKey,
] as const;
