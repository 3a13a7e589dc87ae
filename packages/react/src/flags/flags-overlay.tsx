import { type ComponentType, useEffect, useState } from "react";
import type { PanelProps } from "./overlay/panel";
import { useFlags } from "./provider";

/** Props of `FlagsOverlay`. */
export interface FlagsOverlayProps {
  /** Loads and shows it; by default when the address holds `?musette-flags=1`. */
  readonly show?: boolean | undefined;
  /** The language of its texts. Default: that of the page. */
  readonly locale?: string | undefined;
}

/** The flags of this page, for those who build it. Nothing of it is loaded until it is asked for. */
export function FlagsOverlay({ show, locale }: FlagsOverlayProps) {
  const { client } = useFlags();
  // Not React.lazy: it keeps a failed import for good, and throws at the whole page.
  const [Panel, setPanel] = useState<ComponentType<PanelProps>>();

  useEffect(() => {
    const asked = show ?? new URLSearchParams(location.search).get("musette-flags") === "1";
    if (!asked) return setPanel(undefined);
    let current = true;
    const showing = ({ FlagsPanel }: typeof import("./overlay/panel")) => {
      if (current) setPanel(() => FlagsPanel);
    };
    import("./overlay/panel").then(showing, () => {});
    return () => {
      current = false;
    };
  }, [show]);

  return Panel && client ? <Panel client={client} locale={locale} /> : null;
}
