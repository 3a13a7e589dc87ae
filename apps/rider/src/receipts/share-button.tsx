import { Button } from "@musette/react/ui";
import { useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { receiptHref } from "../router/receipt-address";

interface Props {
  readonly id: string;
  /** The address that the server names; without a public URL, that of this page. */
  readonly url: string | undefined;
}

/** Sends the receipt's address with the phone's own share dialog, or copies it where there is none. */
export function ShareButton({ id, url }: Props) {
  const { receipt } = usePageLanguage().texts;
  const [copied, setCopied] = useState(false);
  const address = url ?? new URL(receiptHref(id), window.location.origin).href;

  async function share(): Promise<void> {
    if (typeof navigator.share === "function") {
      try {
        return await navigator.share({ title: receipt.id, url: address });
      } catch (error) {
        // The person closed the dialog.
        if (error instanceof DOMException && error.name === "AbortError") return;
      }
    }
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
    } catch {
      // Without permission or on an insecure page. The number next to the button can be copied.
    }
  }

  return (
    <>
      <Button kind="secondary" onClick={share}>
        {copied ? receipt.linkCopied : receipt.share}
      </Button>
      <span className="mu-hidden" role="status">
        {copied ? receipt.linkCopied : ""}
      </span>
    </>
  );
}
