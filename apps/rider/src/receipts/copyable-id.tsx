import { Button } from "@musette/react/ui";
import { useRef, useState } from "react";
import { usePageLanguage } from "../language/page-language";

interface Props {
  readonly id: string;
  /** Further buttons. */
  readonly children?: React.ReactNode;
}

export function CopyableId({ id, children }: Props) {
  const { texts } = usePageLanguage();
  const shown = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState(false);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(id);
      setCopied(true);
    } catch {
      // Without permission or on an insecure page, the id is selected, so that a long press can
      // copy it.
      if (shown.current) window.getSelection()?.selectAllChildren(shown.current);
    }
  }

  return (
    <div className="copyable">
      <code ref={shown} dir="ltr">
        {id}
      </code>
      <Button kind="secondary" onClick={copy}>
        {copied ? texts.receipt.copied : texts.receipt.copy}
      </Button>
      {children}
      <span className="mu-hidden" role="status">
        {copied ? texts.receipt.copied : ""}
      </span>
    </div>
  );
}
