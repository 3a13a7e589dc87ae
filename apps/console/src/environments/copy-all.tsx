import { Button, Modal } from "@musette/react/ui";
import { useState } from "react";
import type { Tagged } from "../api/client";
import type { FlagsDocument } from "../configuration/document/document";
import { useFlagsDocument } from "../configuration/document/flags-document";
import { useEnvironment } from "../configuration/document/use-environment";
import { ReviewDialog } from "../configuration/review/review-dialog";
import { toasts } from "../toast/toasts";
import { ChoiceField } from "../ui/choice-field";
import { DialogForm } from "../ui/dialog-form";
import { LoadFailed } from "../ui/states";
import { useEnvironmentsTexts } from "./texts/texts";

/** Copies another environment's configuration to this one, after a review of the changes. */
export function CopyAll(props: { readonly env: string; readonly base: Tagged<FlagsDocument> }) {
  const { env, base } = props;
  const texts = useEnvironmentsTexts();
  const { names } = useEnvironment();
  const others = names.filter((name) => name !== env);
  const [step, setStep] = useState<"choose" | "review">();
  const [chosen, setChosen] = useState<string>();
  const source = chosen ?? others[0] ?? "";
  const from = useFlagsDocument(step ? source : "");
  const close = () => setStep(undefined);
  if (others.length === 0) return null;
  return (
    <>
      <Button kind="secondary" onClick={() => setStep("choose")}>
        {texts.copyAll}
      </Button>
      <Modal open={step === "choose"} onClose={close} label={texts.copyAllTitle(env)}>
        <DialogForm
          title={texts.copyAllTitle(env)}
          action={texts.showChanges}
          isBusy={from.isLoading}
          isDisabled={!from.data}
          onSubmit={() => setStep("review")}
          onCancel={close}
        >
          <p className="note">{texts.copyAllHint}</p>
          <ChoiceField
            label={texts.copyFrom}
            options={others}
            value={source}
            onChange={setChosen}
          />
          {from.isError && <LoadFailed error={from.error} onRetry={from.refetch} />}
        </DialogForm>
      </Modal>
      {from.data && (
        <ReviewDialog
          open={step === "review"}
          environment={env}
          base={base}
          document={{ ...from.data.body, environment: env }}
          title={texts.copyAllTitle(env)}
          comment={texts.copyAllComment(source, String(from.data.body.version))}
          onClose={close}
          onSaved={() => {
            close();
            toasts.say(texts.copiedAll(source, env));
          }}
        />
      )}
    </>
  );
}
