import { pageTexts } from "../../language/page-texts";
import type { Role } from "../people-search";

type ByRole = Readonly<Record<Role, string>>;

export interface PeopleTexts {
  readonly title: string;
  readonly intro: string;
  readonly search: string;
  readonly searchHint: string;
  readonly role: string;
  readonly anyRole: string;
  readonly person: string;
  readonly reach: string;
  readonly since: string;
  readonly shown: (people: string) => string;
  readonly nobody: string;
  readonly nobodyHint: (typed: string) => string;
  readonly noOne: string;
  readonly noOneHint: string;
  readonly roles: ByRole;
  readonly roleHints: ByRole;
  readonly rolesTitle: string;
  readonly add: string;
  readonly added: (userId: string) => string;
  readonly show: string;
  readonly done: string;
  readonly keptDraft: string;
  readonly startOver: string;
  readonly userId: string;
  readonly userIdHint: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly phoneHint: string;
  readonly faults: Readonly<Record<"userId" | "email" | "phone", string>>;
  readonly newLink: string;
  readonly newLinkHint: string;
  readonly linkHint: string;
  readonly linkUntil: (instant: string) => string;
  readonly copyLink: string;
}

export const usePeopleTexts = pageTexts<PeopleTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
