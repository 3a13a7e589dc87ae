import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../../routes/inside";
import { readFlagsSearch } from "./flags-search";
import { readPersonTermsSearch } from "./terms-search";

const person = createRoute({
  getParentRoute: () => inside,
  path: "/people/$userId",
  component: lazyRouteComponent(() => import("./person-page"), "PersonPage"),
});

const under = () => person;

const terms = createRoute({
  getParentRoute: under,
  path: "/",
  validateSearch: readPersonTermsSearch,
  component: lazyRouteComponent(() => import("./terms-tab"), "TermsTab"),
});

const consents = createRoute({
  getParentRoute: under,
  path: "/consents",
  component: lazyRouteComponent(() => import("./consents-tab"), "ConsentsTab"),
});

const sessions = createRoute({
  getParentRoute: under,
  path: "/sessions",
  component: lazyRouteComponent(() => import("./sessions-tab"), "SessionsTab"),
});

const flags = createRoute({
  getParentRoute: under,
  path: "/flags",
  validateSearch: readFlagsSearch,
  component: lazyRouteComponent(() => import("./flags-tab"), "FlagsTab"),
});

const audit = createRoute({
  getParentRoute: under,
  path: "/audit",
  component: lazyRouteComponent(() => import("./audit-tab"), "AuditTab"),
});

const account = createRoute({
  getParentRoute: under,
  path: "/account",
  component: lazyRouteComponent(() => import("./account-tab"), "AccountTab"),
});

export const personRoute = person.addChildren([terms, consents, sessions, flags, audit, account]);
