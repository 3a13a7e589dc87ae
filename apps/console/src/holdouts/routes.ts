import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inEnvironment } from "../environment/route";

const holdouts = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/holdouts",
  component: lazyRouteComponent(() => import("./holdouts-page"), "HoldoutsPage"),
});

export const holdoutsRoutes = [holdouts] as const;
