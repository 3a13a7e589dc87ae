import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";

const consents = createRoute({
  getParentRoute: () => inside,
  path: "/consents",
  component: lazyRouteComponent(() => import("./consents-page"), "ConsentsPage"),
});

export const consentsRoutes = [consents] as const;
