import { useSyncExternalStore } from "react";

/** Space for the preview next to the editor. */
export const SIDE_BY_SIDE = "(min-width: 1180px)";
/** Space for a table, as in `table.module.css`. */
export const TABLE = "(min-width: 900px)";

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query);
      media.addEventListener("change", onChange);
      return () => media.removeEventListener("change", onChange);
    },
    () => matchMedia(query).matches,
  );
}
