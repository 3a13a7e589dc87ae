import { type ComponentType, useCallback, useState } from "react";

/** A dialog whose module is loaded when it is first opened. `load` must be stable. */
export function useLazyDialog<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Dialog, setDialog] = useState<ComponentType<Props>>();
  const [open, setOpen] = useState(false);
  const show = useCallback(() => {
    setOpen(true);
    load().then(
      (loaded) => setDialog(() => loaded),
      // The next attempt loads it again.
      () => setOpen(false),
    );
  }, [load]);
  return { Dialog, open, show, close: () => setOpen(false) };
}
