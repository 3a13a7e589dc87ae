import { Modal } from "@musette/react/ui";
import { useState } from "react";
import { toasts } from "../../toast/toasts";
import { ChoiceField } from "../../ui/choice-field";
import { DialogForm } from "../../ui/dialog-form";
import { LoadFailed } from "../../ui/states";
import type { Flag, FlagsDocument } from "../document/document";
import { useFlagsDocument } from "../document/flags-document";
import { useEnvironment } from "../document/use-environment";
import { useConfigurationTexts } from "../texts/texts";
import { copyFlag } from "./copy-flag";
import { ReviewDialog } from "./review-dialog";

/** Copies one flag to another environment, after a review of the changes. */
export function CopyDialog(props: {
  readonly env: string;
  readonly from: FlagsDocument;
  readonly flag: Flag;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const { env, from, flag, open, onClose } = props;
  const texts = useConfigurationTexts();
  const { names } = useEnvironment();
  const others = names.filter((name) => name !== env);
  const [chosen, setChosen] = useState<string>();
  const target = chosen ?? others[0] ?? "";
  const [isReviewed, setReviewed] = useState(false);
  const targetDocument = useFlagsDocument(open ? target : "");
  const close = () => {
    setReviewed(false);
    onClose();
  };
  return (
    <>
      <Modal open={open && !isReviewed} onClose={close} label={texts.copyTitle(flag.key)}>
        <DialogForm
          title={texts.copyTitle(flag.key)}
          action={texts.showChanges}
          isBusy={targetDocument.isLoading}
          isDisabled={!targetDocument.data}
          onSubmit={() => setReviewed(true)}
          onCancel={close}
        >
          <p className="note">{texts.copyHint}</p>
          <ChoiceField label={texts.copyTo} options={others} value={target} onChange={setChosen} />
          {targetDocument.isError && (
            <LoadFailed error={targetDocument.error} onRetry={targetDocument.refetch} />
          )}
        </DialogForm>
      </Modal>
      {targetDocument.data && (
        <ReviewDialog
          open={open && isReviewed}
          environment={target}
          base={targetDocument.data}
          document={copyFlag(from, targetDocument.data.body, flag)}
          title={texts.copyTitle(flag.key)}
          comment={texts.copyComment(flag.key, env)}
          onClose={close}
          onSaved={() => {
            close();
            toasts.say(texts.copied(flag.key, target));
          }}
        />
      )}
    </>
  );
}
