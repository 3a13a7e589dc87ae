import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inEnvironment } from "../configuration/document/route";
import { readHistorySearch } from "./history-search";

const history = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/history",
  validateSearch: readHistorySearch,
  component: lazyRouteComponent(() => import("./history-page"), "HistoryPage"),
});

const planned = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/planned",
  component: lazyRouteComponent(() => import("./planned-page"), "PlannedPage"),
});

const stale = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/stale",
  component: lazyRouteComponent(() => import("./stale-page"), "StalePage"),
});

const json = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/json",
  component: lazyRouteComponent(() => import("./json-page"), "JsonPage"),
});

export const environmentsRoutes = [history, planned, stale, json] as const;
