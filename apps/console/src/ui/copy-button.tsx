import { Button } from "@musette/react/ui";
import { useState } from "react";
import { useLanguage } from "../language/language-context";
import styles from "./copy-button.module.css";

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { texts } = useLanguage();
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome("copied"),
      // Permission denied, or not a secure context.
      () => setOutcome("failed"),
    );
  return (
    <span className={styles.copy}>
      <Button kind="secondary" onClick={() => void copy()}>
        {label}
      </Button>
      <span role="status" className="note">
        {outcome === "copied" && texts.copied}
        {outcome === "failed" && texts.notCopied}
      </span>
    </span>
  );
}
