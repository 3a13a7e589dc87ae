import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";
import { readEvaluationsSearch } from "./evaluations-search";
import { readExcuseSearch } from "./excusals/excuse-search";

const evaluations = createRoute({
  getParentRoute: () => inside,
  path: "/evaluations",
  validateSearch: readEvaluationsSearch,
  component: lazyRouteComponent(() => import("./evaluations-page"), "EvaluationsPage"),
});

const excuse = createRoute({
  getParentRoute: () => inside,
  path: "/evaluations/excuse",
  validateSearch: readExcuseSearch,
  component: lazyRouteComponent(() => import("./excusals/excuse-page"), "ExcusePage"),
});

/** Has the filters of the list, which determine the next evaluation. */
const evaluation = createRoute({
  getParentRoute: () => inside,
  path: "/evaluations/$evaluationId",
  validateSearch: readEvaluationsSearch,
  component: lazyRouteComponent(() => import("./evaluation-page"), "EvaluationPage"),
});

export const evaluationsRoutes = [evaluations, excuse, evaluation] as const;
