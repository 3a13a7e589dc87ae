import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inEnvironment } from "../environment/route";

const flags = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags",
  component: lazyRouteComponent(() => import("./flags-page"), "FlagsPage"),
});

export const flagsRoutes = [flags] as const;
