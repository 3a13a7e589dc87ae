import { api } from "../api/client";
import { pagesQuery } from "../api/pages";
import type { Wire } from "../api/wire";
import type { PeopleSearch } from "./people-search";

export type Person = Wire<"PersonBody">;

export type OneTimeLink = Wire<"LinkBody">;

export type NewPerson = Wire<"NewPersonBody">;

export const PEOPLE = "/api/admin/v1/people";

export const peoplePagesQuery = (search: PeopleSearch) => pagesQuery(PEOPLE, { query: search });

export const addPerson = (body: NewPerson) => api.post(PEOPLE, { body });

export const createLink = (userId: string) =>
  api.post(`${PEOPLE}/{userId}/link`, { path: { userId } });
