import { Button } from "@musette/react/ui";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { toasts } from "../../toast/toasts";
import { Confirm } from "../../ui/confirm/confirm";
import { useTermsTexts } from "../texts/texts";
import type { Draft } from "./draft";
import { discardDraft, wasChanged } from "./draft-calls";
import type { DraftKeeper } from "./draft-keeper";
import { forgetDraft } from "./use-draft";

export function DiscardDraft(props: { readonly stored: Draft; readonly keeper: DraftKeeper }) {
  const draftTexts = useTermsTexts().draft;
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const { stored, keeper } = props;
  const discard = async () => {
    await keeper.flush();
    await discardDraft(keeper.now().stored).catch(async (error: unknown) => {
      if (wasChanged(error)) await keeper.reread();
      throw error;
    });
    keeper.close();
    forgetDraft(stored.id);
    toasts.say(draftTexts.discarded);
    await navigate({ to: "/terms", replace: true });
  };
  return (
    <>
      <Button kind="quiet" onClick={() => setAsking(true)}>
        {draftTexts.discard}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={draftTexts.discardTitle}
        action={draftTexts.discard}
        isDangerous
        onConfirm={discard}
      >
        <p>{draftTexts.discardText}</p>
      </Confirm>
    </>
  );
}
