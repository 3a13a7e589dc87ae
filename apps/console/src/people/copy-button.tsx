import { Button } from "@musette/react/ui";
import { useState } from "react";
import { usePeopleTexts } from "./texts/texts";

export function CopyButton({ text, words }: { readonly text: string; readonly words: string }) {
  const { copied, notCopied } = usePeopleTexts();
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome("copied"),
      // Not allowed, or the page is not on a safe address.
      () => setOutcome("failed"),
    );
  return (
    <span className="copy">
      <Button kind="secondary" onClick={() => void copy()}>
        {words}
      </Button>
      <span role="status" className="note">
        {outcome === "copied" && copied}
        {outcome === "failed" && notCopied}
      </span>
    </span>
  );
}
