import type { useNavigate } from "@tanstack/react-router";
import { appearances, chooseAppearance } from "../appearance/appearance";
import type { useLanguage } from "../language/language-context";
import { languages } from "../language/languages";
import { session } from "../session/session";
import type { IconName } from "../shell/icon";
import { sections } from "../shell/sections";

export interface Command {
  readonly id: string;
  readonly words: string;
  readonly icon: IconName;
  readonly run: () => void;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** All that can be done from anywhere. */
export function commandGroups(
  { texts, choose }: ReturnType<typeof useLanguage>,
  navigate: ReturnType<typeof useNavigate>,
): readonly CommandGroup[] {
  const pages = sections(texts).map(({ to, words, icon }) => ({
    id: to,
    words,
    icon,
    run: () => void navigate({ to }),
  }));
  const looks = appearances.map((it) => ({
    id: `appearance-${it}`,
    words: `${texts.appearance.label}: ${texts.appearance[it]}`,
    icon: "appearance" as const,
    run: () => chooseAppearance(it),
  }));
  const tongues = languages.map((it) => ({
    id: `language-${it.tag}`,
    words: `${texts.language}: ${it.name}`,
    icon: "language" as const,
    run: () => void choose(it),
  }));
  const leave = {
    id: "sign-out",
    words: texts.signOut,
    icon: "signOut" as const,
    run: () => void session.logout(),
  };
  return [
    { title: texts.palette.goTo, commands: pages },
    { title: texts.palette.settings, commands: [...looks, ...tongues, leave] },
  ];
}
