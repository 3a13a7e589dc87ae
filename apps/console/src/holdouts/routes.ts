import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inEnvironment } from "../configuration/document/route";
import { readResultsSearch } from "../results/results-search";
import { readHoldoutsSearch } from "./holdouts-search";

const holdouts = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/holdouts",
  validateSearch: readHoldoutsSearch,
  component: lazyRouteComponent(() => import("./holdouts-page"), "HoldoutsPage"),
});

const create = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/holdouts/new",
  component: lazyRouteComponent(() => import("./edit-page"), "NewHoldoutPage"),
});

const holdout = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/holdouts/$key",
  validateSearch: readResultsSearch,
  component: lazyRouteComponent(() => import("./holdout-page"), "HoldoutPage"),
});

const edit = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/holdouts/$key/edit",
  component: lazyRouteComponent(() => import("./edit-page"), "EditHoldoutPage"),
});

export const holdoutsRoutes = [holdouts, create, holdout, edit] as const;
