import { createRootRoute, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { isSignedIn } from "../session/session";
import { NotFoundPage } from "../ui/not-found-page";

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

/** The parent route of all pages that need a session. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: ({ location }) => {
    if (!isSignedIn()) throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
});
