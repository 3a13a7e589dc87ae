import type { SignedReceipt } from "@musette/client/log";
import { Button } from "@musette/react/ui";
import { usePageLanguage } from "../language/page-language";
import { save } from "./signed-receipt";

/** Files that few people need. */
export function OtherFiles({ signed }: { readonly signed: SignedReceipt }) {
  const { proof } = usePageLanguage().texts;
  return (
    <details>
      <summary>{proof.otherFiles}</summary>
      <div className="ways">
        <Button
          kind="secondary"
          onClick={() => save(new Blob([signed.proof]), signed.id, "tlog-proof")}
        >
          {proof.proofOnly}
        </Button>
      </div>
    </details>
  );
}
