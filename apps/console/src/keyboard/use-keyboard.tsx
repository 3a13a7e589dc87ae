import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect } from "react";
import { useRoles } from "../api/use-roles";
import { useLanguage } from "../language/language-context";
import { sectionsFor } from "../routes/sections";
import { useLazyDialog } from "../ui/use-lazy-dialog";
import { dispatcher } from "./dispatch";
import { singleKeys } from "./single-keys";
import { pageShortcuts } from "./use-shortcut";

const load = () => import("./keyboard-map").then(({ KeyboardMap }) => KeyboardMap);

export interface UseKeyboard {
  readonly showMap: () => void;
  readonly map: ReactNode;
}

/** Focuses the search field of the page, or opens the palette if there is none. */
function focusSearch(otherwise: () => void): void {
  const field = document.querySelector<HTMLInputElement>("#content input[type=search]");
  if (!field) {
    otherwise();
    return;
  }
  field.focus();
  field.select();
}

/**
 * The keyboard shortcuts of the whole console, and the list of them, which loads when it is first
 * opened.
 */
export function useKeyboard(showPalette: () => void): UseKeyboard {
  const { texts } = useLanguage();
  const roles = useRoles();
  const navigate = useNavigate();
  const { Dialog: KeyboardMap, open, show: showMap, close } = useLazyDialog(load);

  useEffect(() => {
    const press = dispatcher({
      goTo(letter) {
        const section = sectionsFor(texts, roles).find((section) => section.letter === letter);
        if (section) void navigate({ to: section.to });
        return section !== undefined;
      },
      search: () => focusSearch(showPalette),
      showMap,
      shortcuts: pageShortcuts,
      areSingleKeysOn: singleKeys.areOn,
    });
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [texts, roles, navigate, showPalette, showMap]);

  return {
    showMap,
    map: KeyboardMap && (
      <Suspense>
        <KeyboardMap open={open} onClose={close} />
      </Suspense>
    ),
  };
}
