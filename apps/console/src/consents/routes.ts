import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";
import { readConsentsSearch } from "./consents-search";
import { readVerifySearch } from "./verify-search";

const consents = createRoute({
  getParentRoute: () => inside,
  path: "/consents",
  component: lazyRouteComponent(() => import("./consents-page"), "ConsentsPage"),
});

const under = () => consents;

const decisions = createRoute({
  getParentRoute: under,
  path: "/",
  validateSearch: readConsentsSearch,
  component: lazyRouteComponent(() => import("./decisions-tab"), "DecisionsTab"),
});

const verify = createRoute({
  getParentRoute: under,
  path: "/verify",
  validateSearch: readVerifySearch,
  component: lazyRouteComponent(() => import("./verify-tab"), "VerifyTab"),
});

const log = createRoute({
  getParentRoute: under,
  path: "/log",
  component: lazyRouteComponent(() => import("./log-tab"), "LogTab"),
});

export const consentsRoutes = [consents.addChildren([decisions, verify, log])] as const;
