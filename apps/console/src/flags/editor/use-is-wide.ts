import { useSyncExternalStore } from "react";

/** Room for the preview beside the editor. */
const WIDE = "(min-width: 1180px)";

export function useIsWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(WIDE);
      media.addEventListener("change", onChange);
      return () => media.removeEventListener("change", onChange);
    },
    () => matchMedia(WIDE).matches,
  );
}
