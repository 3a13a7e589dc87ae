import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inEnvironment } from "../configuration/document/route";

const segments = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/segments",
  component: lazyRouteComponent(() => import("./segments-page"), "SegmentsPage"),
});

const segment = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/segments/$key",
  component: lazyRouteComponent(() => import("./segment-page"), "SegmentPage"),
});

export const segmentsRoutes = [segments, segment] as const;
