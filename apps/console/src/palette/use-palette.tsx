import { type ReactNode, useEffect } from "react";
import { useLazyDialog } from "../ui/use-lazy-dialog";

const load = () => import("./palette").then(({ Palette }) => Palette);

export interface UsePalette {
  readonly show: () => void;
  readonly palette: (onShortcuts: () => void) => ReactNode;
}

/** The palette, which loads when it is first opened. */
export function usePalette(): UsePalette {
  const { Dialog: Palette, open, show, close } = useLazyDialog(load);

  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      // Otherwise Firefox would focus its search field.
      event.preventDefault();
      show();
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [show]);

  return {
    show,
    palette: (onShortcuts) =>
      Palette && <Palette open={open} onClose={close} onShortcuts={onShortcuts} />,
  };
}
