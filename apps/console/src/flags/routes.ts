import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";

const flags = createRoute({
  getParentRoute: () => inside,
  path: "/flags",
  component: lazyRouteComponent(() => import("./flags-page"), "FlagsPage"),
});

export const flagsRoutes = [flags] as const;
