import type { useRouter } from "@tanstack/react-router";
import { permits } from "../api/grants";
import { appearances, chooseAppearance } from "../appearance/appearance";
import { offered, type useLanguage } from "../language/language-context";
import {
  evaluationsSection,
  reportSection,
  restrictionsSection,
  sections,
  sectionsFor,
  systemsSection,
} from "../routes/sections";
import { mayOpenTab, tabbed, tabs } from "../routes/tabs";
import { signOut } from "../session/session";
import { recentVisits } from "../storage/recent";
import type { IconName } from "../ui/icon";
import type { SearchResult } from "./use-found";

export interface Command {
  readonly id: string;
  readonly label: string;
  /** Shown next to it, but not searched. */
  readonly detail?: string | undefined;
  readonly icon: IconName;
  readonly run: () => void;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

type Router = ReturnType<typeof useRouter>;

/** Navigates to an address that was composed here, not to a typed route. */
const navigateTo = (router: Router, href: string) => () =>
  void router.navigate({ href: `${router.basepath}${href}` });

/** The commands that are available on every page. */
export function commandGroups(
  { texts, choose }: ReturnType<typeof useLanguage>,
  router: Router,
  roles: readonly string[],
  onShortcuts: () => void,
): readonly CommandGroup[] {
  const places = sectionsFor(texts, roles);
  const recent = recentVisits().map(({ href, title }) => ({
    id: `recent ${href}`,
    label: title,
    icon: places.find(({ to }) => to !== "/" && href.startsWith(to))?.icon ?? ("recent" as const),
    run: navigateTo(router, href),
  }));
  const more = [
    systemsSection(texts),
    ...(permits(roles, "evaluations")
      ? [evaluationsSection(texts), restrictionsSection(texts)]
      : []),
    ...(permits(roles, "reports") ? [reportSection(texts)] : []),
  ];
  const pages = [...places, ...more].map(({ to, label, icon }) => ({
    id: to,
    label,
    icon,
    run: () => void router.navigate({ to }),
  }));
  return [
    { title: texts.palette.recent, commands: recent },
    { title: texts.palette.goTo, commands: [...pages, ...tabCommands({ texts }, router, roles)] },
    { title: texts.palette.settings, commands: settings({ texts, choose }, onShortcuts) },
  ];
}

/** Commands for the tabs of pages, such as "Settings: Keys". */
function tabCommands(
  { texts }: Pick<ReturnType<typeof useLanguage>, "texts">,
  router: Router,
  roles: readonly string[],
): readonly Command[] {
  const permitted = ({ to }: { readonly to: string }) => mayOpenTab(roles, to);
  return tabbed.flatMap((page) =>
    tabs[page].filter(permitted).map(({ to, tab }) => ({
      id: to,
      label: `${texts.nav[page]}: ${texts.tabs[tab]}`,
      icon: page,
      run: () => void router.navigate({ to }),
    })),
  );
}

function settings(
  { texts, choose }: Pick<ReturnType<typeof useLanguage>, "texts" | "choose">,
  onShortcuts: () => void,
): readonly Command[] {
  const appearanceCommands = appearances.map((appearance) => ({
    id: `appearance-${appearance}`,
    label: `${texts.appearance.label}: ${texts.appearance[appearance]}`,
    icon: "appearance" as const,
    run: () => chooseAppearance(appearance),
  }));
  const languageCommands = offered.map((language) => ({
    id: `language-${language.tag}`,
    label: `${texts.language}: ${language.name}`,
    icon: "language" as const,
    run: () => void choose(language),
  }));
  return [
    { id: "shortcuts", label: texts.palette.shortcuts, icon: "keyboard", run: onShortcuts },
    ...appearanceCommands,
    ...languageCommands,
    {
      id: "sign-out",
      label: texts.signOut,
      icon: "signOut",
      run: signOut,
    },
  ];
}

/** Search results, grouped by kind. */
export function searchResultGroups(
  found: readonly SearchResult[],
  { texts }: Pick<ReturnType<typeof useLanguage>, "texts">,
  router: Router,
): readonly CommandGroup[] {
  return sections(texts).map(({ label, icon }) => ({
    title: label,
    commands: found
      .filter((result) => result.icon === icon)
      .map((result) => ({ ...result, id: result.href, run: navigateTo(router, result.href) })),
  }));
}
