import { type ReactNode, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import styles from "./overlay.css?inline";

/** A place that the rules of the host's page do not reach, and whose own do not leave it. */
export function Surface({ children }: { readonly children: ReactNode }) {
  const [root, setRoot] = useState<ShadowRoot>();

  useEffect(() => {
    const host = document.body.appendChild(document.createElement("musette-flags"));
    const shadow = host.attachShadow({ mode: "open" });
    // Not a <style>, which a Content-Security-Policy would refuse.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    shadow.adoptedStyleSheets = [sheet];
    setRoot(shadow);
    return () => host.remove();
  }, []);

  return root ? createPortal(children, root) : null;
}
