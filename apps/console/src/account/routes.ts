import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside, root } from "../routes/inside";
import { readReauthenticatedSearch } from "./reauthenticated-search";

const account = createRoute({
  getParentRoute: () => inside,
  path: "/account",
  component: lazyRouteComponent(() => import("./account-page"), "AccountPage"),
});

/**
 * The last page in the provider's window. It needs no session, because it only notifies the window
 * that opened it.
 */
const reauthenticated = createRoute({
  getParentRoute: () => root,
  path: "/reauthenticated",
  validateSearch: readReauthenticatedSearch,
  component: lazyRouteComponent(() => import("./reauthenticated-page"), "ReauthenticatedPage"),
});

export const accountRoutes = [account] as const;
export const reauthenticatedRoute = reauthenticated;
