import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inEnvironment } from "../configuration/document/route";

const metrics = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/metrics",
  component: lazyRouteComponent(() => import("./metrics-page"), "MetricsPage"),
});

export const metricsRoutes = [metrics] as const;
