import { type Need, permits } from "../api/grants";
import type { ConsoleTexts } from "../language/texts/texts";
import type { IconName } from "../ui/icon";

/** The groups of the navigation. The first page is in none. */
export const groups = ["consent", "releases", "administration"] as const;
export type Group = (typeof groups)[number];

export interface Section {
  readonly to:
    | "/"
    | "/terms"
    | "/people"
    | "/consents"
    | "/campaigns"
    | "/flags"
    | "/experiments"
    | "/holdouts"
    | "/approvals"
    | "/settings"
    | "/audit";
  readonly label: string;
  readonly group?: Group;
  /** The letter after `g`. */
  readonly letter: string;
  readonly icon: IconName;
  /** What a role must allow for this section; absent: every role may use it. */
  readonly need?: Need;
}

/** The sections that these roles may use, for the navigation and the palette. */
export const sectionsFor = (texts: ConsoleTexts, roles: readonly string[]): readonly Section[] =>
  sections(texts).filter(({ need }) => permits(roles, need));

const inGroup = (group: Group, members: readonly Section[]) =>
  members.map((section) => ({ ...section, group }));

/** The register of automated systems. The navigation has it only if it is not empty. */
export const systemsSection = ({ nav }: ConsoleTexts) =>
  ({ to: "/automated-systems", label: nav.systems, icon: "systems" }) as const;

/** The navigation has it for dispatchers and reviewers, and for others if there are evaluations. */
export const evaluationsSection = ({ nav }: ConsoleTexts) =>
  ({ to: "/evaluations", label: nav.evaluations, icon: "evaluations" }) as const;

/** Next to the evaluations, for the same roles. */
export const restrictionsSection = ({ nav }: ConsoleTexts) =>
  ({ to: "/restrictions", label: nav.restrictions, icon: "restrictions" }) as const;

/** For representatives, and for others who may read it if there are evaluations. */
export const reportSection = ({ nav }: ConsoleTexts) =>
  ({ to: "/decisions-report", label: nav.report, icon: "report" }) as const;

/** The sections of the console, for the navigation and the palette. */
export function sections({ nav }: ConsoleTexts): readonly Section[] {
  return [
    { to: "/", label: nav.overview, letter: "o", icon: "overview" },
    ...inGroup("consent", [
      { to: "/terms", label: nav.terms, letter: "t", icon: "terms" },
      { to: "/consents", label: nav.consents, letter: "c", icon: "consents", need: "personal" },
      {
        to: "/campaigns",
        label: nav.campaigns,
        letter: "m",
        icon: "campaigns",
        need: "company data",
      },
      { to: "/people", label: nav.people, letter: "p", icon: "people", need: "company data" },
    ]),
    ...inGroup("releases", [
      { to: "/flags", label: nav.flags, letter: "f", icon: "flags", need: "company data" },
      {
        to: "/experiments",
        label: nav.experiments,
        letter: "e",
        icon: "experiments",
        need: "company data",
      },
      { to: "/holdouts", label: nav.holdouts, letter: "h", icon: "holdouts", need: "company data" },
    ]),
    ...inGroup("administration", [
      {
        to: "/approvals",
        label: nav.approvals,
        letter: "r",
        icon: "approvals",
        need: "company data",
      },
      { to: "/audit", label: nav.audit, letter: "a", icon: "audit", need: "audit" },
      { to: "/settings", label: nav.settings, letter: "s", icon: "settings", need: "company data" },
    ]),
  ];
}
