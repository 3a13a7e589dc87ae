import { useNavigate } from "@tanstack/react-router";
import {
  type ComponentType,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useState,
} from "react";
import { useLanguage } from "../language/language-context";
import { sections } from "../routes/sections";
import { dispatcher } from "./dispatch";
import type { KeyboardMapProps } from "./keyboard-map";
import { singleKeys } from "./single-keys";
import { pageShortcuts } from "./use-shortcut";

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

/** The keyboard shortcuts of the whole console, and their list, loaded when first opened. */
export function useKeyboard(showPalette: () => void): UseKeyboard {
  const { texts } = useLanguage();
  const navigate = useNavigate();
  const [KeyboardMap, setKeyboardMap] = useState<ComponentType<KeyboardMapProps>>();
  const [open, setOpen] = useState(false);

  const showMap = useCallback(() => {
    setOpen(true);
    import("./keyboard-map").then(
      (loaded) => setKeyboardMap(() => loaded.KeyboardMap),
      // The next attempt loads it again.
      () => setOpen(false),
    );
  }, []);

  useEffect(() => {
    const press = dispatcher({
      goTo(letter) {
        const section = sections(texts).find((it) => it.letter === letter);
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
  }, [texts, navigate, showPalette, showMap]);

  return {
    showMap,
    map: KeyboardMap && (
      <Suspense>
        <KeyboardMap open={open} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  };
}
