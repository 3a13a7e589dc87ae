import { type RefObject, useEffect, useLayoutEffect } from "react";

/**
 * Opens the dialog as a modal, and closes it on the back button of the browser or phone. The native dialog handles
 * Escape and returns the focus. The caller listens to its `close` event.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Focuses the scrollable section instead of the first button, so that keys scroll it.
    element?.querySelector("section")?.focus();
    // Closing returns the focus. Removing an open dialog would not.
    return () => element?.close();
  }, [dialog]);

  useEffect(() => {
    const depthNow = () => (history.state?.muViewer as number | undefined) ?? 0;
    const depth = depthNow() + 1;
    const back = () => depthNow() < depth && dialog.current?.close();
    // Delayed, because React's strict mode mounts twice in a row. `history.back()` is asynchronous, so it would
    // close the second mount.
    const timer = setTimeout(() => {
      history.pushState({ ...history.state, muViewer: depth }, "");
      addEventListener("popstate", back);
    });
    return () => {
      clearTimeout(timer);
      removeEventListener("popstate", back);
      if (depthNow() === depth) history.back();
    };
  }, [dialog]);
}
