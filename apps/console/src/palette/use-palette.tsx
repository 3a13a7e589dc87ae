import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from "react";
import type { PaletteProps } from "./palette";

export interface UsePalette {
  readonly show: () => void;
  readonly palette: (onShortcuts: () => void) => ReactNode;
}

/** The palette, loaded when it is first opened. */
export function usePalette(): UsePalette {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>();
  const [open, setOpen] = useState(false);

  const show = useCallback(() => {
    setOpen(true);
    import("./palette").then(
      (loaded) => setPalette(() => loaded.Palette),
      // The next attempt loads it again.
      () => setOpen(false),
    );
  }, []);

  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      // Firefox would focus its search field.
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
