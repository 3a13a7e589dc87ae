import { type RefObject, useEffect, useLayoutEffect } from "react";

/**
 * Opens the dialog over everything, and closes it on the browser's or phone's back; Escape and giving
 * the focus back are its own. Its `close` event tells the rest.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Not the first button: what scrolls, so that the keys scroll it.
    element?.querySelector("section")?.focus();
    // Closing gives the focus back; removing an open dialog would not.
    return () => element?.close();
  }, [dialog]);

  useEffect(() => {
    const depthNow = () => (history.state?.muViewer as number | undefined) ?? 0;
    const depth = depthNow() + 1;
    const back = () => depthNow() < depth && dialog.current?.close();
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
  }, [dialog]);
}
