import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";
import { readSystemSearch } from "./system-search";

const systems = createRoute({
  getParentRoute: () => inside,
  path: "/automated-systems",
  component: lazyRouteComponent(() => import("./systems-page"), "SystemsPage"),
});

const system = createRoute({
  getParentRoute: () => inside,
  path: "/automated-systems/$systemKey",
  validateSearch: readSystemSearch,
  component: lazyRouteComponent(() => import("./system-page"), "SystemPage"),
});

export const systemsRoutes = [systems, system] as const;
