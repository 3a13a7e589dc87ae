import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from "react";
import type { PaletteProps } from "./palette";

export interface UsePalette {
  readonly show: () => void;
  readonly palette: (onShortcuts: () => void) => ReactNode;
}

/** The palette, fetched when it is first wanted, by its key or a button. */
export function usePalette(): UsePalette {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>();
  const [open, setOpen] = useState(false);

  const show = useCallback(() => {
    setOpen(true);
    import("./palette").then(
      (loaded) => setPalette(() => loaded.Palette),
      // Tried again with the next wish.
      () => setOpen(false),
    );
  }, []);

  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      // Else Firefox goes to its search field.
      event.preventDefault();
      show();
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [show]);

  return {
    show,
    palette: (onShortcuts) =>
      Palette && <Palette open={open} onClose={() => setOpen(false)} onShortcuts={onShortcuts} />,
  };
}
