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

const attributes = createRoute({
  getParentRoute: () => inEnvironment,
  path: "/flags/attributes",
  component: lazyRouteComponent(() => import("./attributes-page"), "AttributesPage"),
});

export const segmentsRoutes = [segments, segment, attributes] as const;
