import { Button, Modal } from "@musette/react/ui";
import { useId, useState } from "react";
import type { Tagged } from "../api/client";
import type { FlagsDocument } from "../configuration/document/document";
import { useFlagsDocument } from "../configuration/document/flags-document";
import { useEnvironment } from "../configuration/document/use-environment";
import { ReviewDialog } from "../configuration/review/review-dialog";
import { useLanguage } from "../language/language-context";
import { toasts } from "../toast/toasts";
import { LoadFailed } from "../ui/states";
import { useEnvironmentsTexts } from "./texts/texts";

/** Makes this environment what another one is; what changes is shown first. */
export function CopyAll(props: { readonly env: string; readonly base: Tagged<FlagsDocument> }) {
  const { env, base } = props;
  const words = useEnvironmentsTexts();
  const { texts } = useLanguage();
  const { names } = useEnvironment();
  const others = names.filter((name) => name !== env);
  const [step, setStep] = useState<"choose" | "review">();
  const [chosen, setChosen] = useState<string>();
  const source = chosen ?? others[0] ?? "";
  const from = useFlagsDocument(step ? source : "");
  const id = useId();
  const close = () => setStep(undefined);
  if (others.length === 0) return null;
  return (
    <>
      <Button kind="secondary" onClick={() => setStep("choose")}>
        {words.copyAll}
      </Button>
      <Modal open={step === "choose"} onClose={close} label={words.copyAllTitle(env)}>
        <div className="confirm">
          <h2>{words.copyAllTitle(env)}</h2>
          <p className="note">{words.copyAllHint}</p>
          <div className="field">
            <label htmlFor={id}>{words.copyFrom}</label>
            <select id={id} value={source} onChange={(event) => setChosen(event.target.value)}>
              {others.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </div>
          {from.isError && <LoadFailed error={from.error} onRetry={from.refetch} />}
          <div className="buttons">
            <Button kind="secondary" onClick={close}>
              {texts.cancel}
            </Button>
            <Button
              loading={from.isLoading}
              disabled={!from.data}
              onClick={() => setStep("review")}
            >
              {words.showChanges}
            </Button>
          </div>
        </div>
      </Modal>
      {from.data && (
        <ReviewDialog
          open={step === "review"}
          environment={env}
          base={base}
          document={{ ...from.data.body, environment: env }}
          title={words.copyAllTitle(env)}
          comment={words.copyAllComment(source, String(from.data.body.version))}
          onClose={close}
          onSaved={() => {
            close();
            toasts.say(words.copiedAll(source, env));
          }}
        />
      )}
    </>
  );
}
