import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";

const holdouts = createRoute({
  getParentRoute: () => inside,
  path: "/holdouts",
  component: lazyRouteComponent(() => import("./holdouts-page"), "HoldoutsPage"),
});

export const holdoutsRoutes = [holdouts] as const;
