import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";

const people = createRoute({
  getParentRoute: () => inside,
  path: "/people",
  component: lazyRouteComponent(() => import("./people-page"), "PeoplePage"),
});

export const peopleRoutes = [people] as const;
