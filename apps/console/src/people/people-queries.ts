import { changeAdmin } from "../api/admin";
import { pagesQuery } from "../api/pages";
import { type PeopleSearch, peopleParameters } from "./people-search";

export interface Person {
  readonly user_id: string;
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly roles: readonly string[];
  readonly created_at: string;
  readonly has_password: boolean;
}

/** The one-time link by which somebody sets a password, where the server gives one. */
export interface OneTimeLink {
  readonly link?: string;
}

export interface NewPerson {
  readonly user_id: string;
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly roles: readonly string[];
}

export const peoplePagesQuery = (search: PeopleSearch) =>
  pagesQuery<Person>("/people", peopleParameters(search));

export const addPerson = (body: NewPerson) =>
  changeAdmin<Person & OneTimeLink>("/people", { method: "POST", body });

export const makeLink = (userId: string) =>
  changeAdmin<OneTimeLink>(`/people/${encodeURIComponent(userId)}/link`, { method: "POST" });
