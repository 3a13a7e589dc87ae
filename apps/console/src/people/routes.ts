import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";
import { readPeopleSearch } from "./people-search";
import { personRoute } from "./person/routes";

const people = createRoute({
  getParentRoute: () => inside,
  path: "/people",
  validateSearch: readPeopleSearch,
  component: lazyRouteComponent(() => import("./people-page"), "PeoplePage"),
});

export const peopleRoutes = [people, personRoute] as const;
