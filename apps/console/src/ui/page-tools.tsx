import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { createPortal } from "react-dom";
import styles from "./page.module.css";

/** The end of the page's header. */
const Slot = createContext<HTMLElement | null>(null);

/** Shows actions of a page in its header, from anywhere in the page. */
export function PageTools({ children }: { readonly children: ReactNode }) {
  const slot = useContext(Slot);
  return slot && createPortal(children, slot);
}

interface WithToolsProps {
  /** The beginning of the header. */
  readonly titles: ReactNode;
  readonly children: ReactNode;
}

/** The header of a page, whose end shows the tools of `children`. */
export function WithTools({ titles, children }: WithToolsProps) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  // While a part of the page loads, React detaches the element and attaches the same one again. A new
  // state at each of the two would never end.
  const keep = useCallback((element: HTMLElement | null) => {
    if (element) setSlot(element);
  }, []);
  return (
    <>
      <div className={styles.toolsRow}>
        {titles}
        <div ref={keep} className={styles.tools} />
      </div>
      <Slot value={slot}>{children}</Slot>
    </>
  );
}
