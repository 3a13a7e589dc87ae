import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";

const experiments = createRoute({
  getParentRoute: () => inside,
  path: "/experiments",
  component: lazyRouteComponent(() => import("./experiments-page"), "ExperimentsPage"),
});

export const experimentsRoutes = [experiments] as const;
