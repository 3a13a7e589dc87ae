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

/** Shown once: whoever opens it sets the password. */
export interface OneTimeLink {
  readonly url: string;
  readonly expires_at: string;
}

export interface NewPerson {
  readonly user_id: string;
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly roles: readonly string[];
}

interface AddedPerson extends Person {
  /** Of operators and admins who sign in by password. */
  readonly sign_in_link?: OneTimeLink;
}

export const peoplePagesQuery = (search: PeopleSearch) =>
  pagesQuery<Person>("/people", peopleParameters(search));

export const addPerson = (body: NewPerson) =>
  changeAdmin<AddedPerson>("/people", { method: "POST", body });

export const makeLink = (userId: string) =>
  changeAdmin<OneTimeLink>(`/people/${encodeURIComponent(userId)}/link`, { method: "POST" });
