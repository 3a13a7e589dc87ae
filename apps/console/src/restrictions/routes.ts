import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";
import { readNewRestrictionSearch, readRestrictionsSearch } from "./restrictions-search";

const restrictions = createRoute({
  getParentRoute: () => inside,
  path: "/restrictions",
  validateSearch: readRestrictionsSearch,
  component: lazyRouteComponent(() => import("./restrictions-page"), "RestrictionsPage"),
});

const newRestriction = createRoute({
  getParentRoute: () => inside,
  path: "/restrictions/new",
  validateSearch: readNewRestrictionSearch,
  component: lazyRouteComponent(() => import("./new-restriction-page"), "NewRestrictionPage"),
});

const restriction = createRoute({
  getParentRoute: () => inside,
  path: "/restrictions/$restrictionId",
  component: lazyRouteComponent(() => import("./restriction-page"), "RestrictionPage"),
});

export const restrictionsRoutes = [restrictions, newRestriction, restriction] as const;
