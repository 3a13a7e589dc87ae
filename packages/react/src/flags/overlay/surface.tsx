import { type ReactNode, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import styles from "./overlay.css?inline";

/** Renders its children into a shadow root, so that the styles of the page and of the overlay do not mix. */
export function Surface({ children }: { readonly children: ReactNode }) {
  const [root, setRoot] = useState<ShadowRoot>();

  useEffect(() => {
    const host = document.body.appendChild(document.createElement("musette-flags"));
    const shadow = host.attachShadow({ mode: "open" });
    // Not a <style> element, which a Content-Security-Policy would block.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    shadow.adoptedStyleSheets = [sheet];
    setRoot(shadow);
    return () => host.remove();
  }, []);

  return root ? createPortal(children, root) : null;
}
