import { type ComponentType, useEffect, useState } from "react";
import type { PanelProps } from "./overlay/panel";
import { useFlags } from "./provider";

/** Props of `FlagsOverlay`. */
export interface FlagsOverlayProps {
  /** Whether to load and show the overlay. Default: if the address contains `?musette-flags=1`. */
  readonly show?: boolean | undefined;
  /** The language of its texts. Default: the language of the page. */
  readonly locale?: string | undefined;
}

/** An overlay for developers with the flags of the page. Its code loads only when it is shown. */
export function FlagsOverlay({ show, locale }: FlagsOverlayProps) {
  const { client } = useFlags();
  // Not React.lazy, because it caches a failed import forever and throws into the whole page.
  const [Panel, setPanel] = useState<ComponentType<PanelProps>>();

  useEffect(() => {
    const isRequested = show ?? new URLSearchParams(location.search).get("musette-flags") === "1";
    if (!isRequested) return setPanel(undefined);
    let isMounted = true;
    const showPanel = ({ FlagsPanel }: typeof import("./overlay/panel")) => {
      if (isMounted) setPanel(() => FlagsPanel);
    };
    import("./overlay/panel").then(showPanel, () => {});
    return () => {
      isMounted = false;
    };
  }, [show]);

  return Panel && client ? <Panel client={client} locale={locale} /> : null;
}
