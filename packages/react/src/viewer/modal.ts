import { type RefObject, useEffect, useLayoutEffect } from "react";
import { useLatest } from "./use-latest";

/**
 * Opens the dialog over everything, closes on Escape and on the browser's or phone's back, and gives
 * the focus back to what opened it.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void): void {
  const latest = useLatest(onClose);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closing gives the focus back; removing an open dialog would not.
    return () => element?.close();
  }, [dialog]);

  useEffect(() => {
    const close = () => latest.current();
    const depthNow = () => (history.state?.muViewer as number | undefined) ?? 0;
    const depth = depthNow() + 1;
    const back = () => depthNow() < depth && close();
    // Later, because React's strict mode mounts twice at once, and a history entry cannot be taken
    // back at once: `history.back()` would land on the second mount and close it.
    const later = setTimeout(() => {
      history.pushState({ ...history.state, muViewer: depth }, "");
      addEventListener("popstate", back);
    });
    return () => {
      clearTimeout(later);
      removeEventListener("popstate", back);
      if (depthNow() === depth) history.back();
    };
  }, [latest]);
}
