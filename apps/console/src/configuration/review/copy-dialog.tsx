import { Button, Modal } from "@musette/react/ui";
import { useId, useState } from "react";
import { useLanguage } from "../../language/language-context";
import { toasts } from "../../toast/toasts";
import { LoadFailed } from "../../ui/states";
import type { Flag, FlagsDocument } from "../document/document";
import { useFlagsDocument } from "../document/flags-document";
import { useEnvironment } from "../document/use-environment";
import { useConfigurationTexts } from "../texts/texts";
import { copyFlag } from "./copy-flag";
import { ReviewDialog } from "./review-dialog";

/** Brings one flag into another environment; what changes there is shown first. */
export function CopyDialog(props: {
  readonly env: string;
  readonly from: FlagsDocument;
  readonly flag: Flag;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const { env, from, flag, open, onClose } = props;
  const words = useConfigurationTexts();
  const { texts } = useLanguage();
  const { names } = useEnvironment();
  const others = names.filter((name) => name !== env);
  const [chosen, setChosen] = useState<string>();
  const target = chosen ?? others[0] ?? "";
  const [isReviewed, setReviewed] = useState(false);
  const there = useFlagsDocument(open ? target : "");
  const id = useId();
  const close = () => {
    setReviewed(false);
    onClose();
  };
  const isReady = there.data !== undefined && target !== "";
  return (
    <>
      <Modal open={open && !isReviewed} onClose={close} label={words.copyTitle(flag.key)}>
        <div className="confirm">
          <h2>{words.copyTitle(flag.key)}</h2>
          <p className="note">{words.copyHint}</p>
          <div className="field">
            <label htmlFor={id}>{words.copyTo}</label>
            <select id={id} value={target} onChange={(event) => setChosen(event.target.value)}>
              {others.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </div>
          {there.isError && <LoadFailed error={there.error} onRetry={there.refetch} />}
          <div className="buttons">
            <Button kind="secondary" onClick={close}>
              {texts.cancel}
            </Button>
            <Button loading={there.isLoading} disabled={!isReady} onClick={() => setReviewed(true)}>
              {words.showChanges}
            </Button>
          </div>
        </div>
      </Modal>
      {there.data && (
        <ReviewDialog
          open={open && isReviewed}
          environment={target}
          base={there.data}
          document={copyFlag(from, there.data.body, flag)}
          title={words.copyTitle(flag.key)}
          comment={words.copyComment(flag.key, env)}
          onClose={close}
          onSaved={() => {
            close();
            toasts.say(words.copied(flag.key, target));
          }}
        />
      )}
    </>
  );
}
