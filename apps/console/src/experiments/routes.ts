import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inEnvironment } from "../configuration/document/route";
import { readResultsSearch } from "../results/results-search";
import { readSetUpSearch } from "./draft";
import { readExperimentsSearch } from "./experiments-search";

const experiments = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/experiments",
  validateSearch: readExperimentsSearch,
  component: lazyRouteComponent(() => import("./experiments-page"), "ExperimentsPage"),
});

const setUp = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/experiments/new",
  validateSearch: readSetUpSearch,
  component: lazyRouteComponent(() => import("./set-up-page"), "NewExperimentPage"),
});

const experiment = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/experiments/$key",
  validateSearch: readResultsSearch,
  component: lazyRouteComponent(() => import("./experiment-page"), "ExperimentPage"),
});

const edit = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/experiments/$key/edit",
  component: lazyRouteComponent(() => import("./set-up-page"), "EditExperimentPage"),
});

export const experimentsRoutes = [experiments, setUp, experiment, edit] as const;
