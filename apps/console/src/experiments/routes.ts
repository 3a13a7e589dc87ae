import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inEnvironment } from "../environment/route";

const experiments = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/experiments",
  component: lazyRouteComponent(() => import("./experiments-page"), "ExperimentsPage"),
});

export const experimentsRoutes = [experiments] as const;
