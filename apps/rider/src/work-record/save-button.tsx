import { Button } from "@musette/react/ui";
import { useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { FailureText } from "../loading/states";

/** A button that downloads a file. */
export function SaveButton(props: {
  readonly label: string;
  readonly onSave: () => Promise<void>;
}) {
  const { texts } = usePageLanguage();
  const [state, setState] = useState<"idle" | "saving" | "saved">("idle");
  const [error, setError] = useState<unknown>();

  async function download(): Promise<void> {
    setState("saving");
    setError(undefined);
    try {
      await props.onSave();
      setState("saved");
    } catch (failure) {
      setError(failure);
      setState("idle");
    }
  }

  return (
    <>
      {error !== undefined && <FailureText error={error} />}
      <Button kind="secondary" loading={state === "saving"} onClick={download}>
        {props.label}
      </Button>
      <p className="note work-live" role="status">
        {state === "saved" && texts.work.saved}
      </p>
    </>
  );
}
