import { HttpError } from "@musette/client/http";
import { Button } from "@musette/react/ui";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toasts } from "../../toast/toasts";
import { Confirm } from "../../ui/confirm/confirm";
import { FailureText } from "../../ui/states";
import {
  type Action,
  actOnCampaign,
  type Campaign,
  previewQuery,
  refreshCampaigns,
} from "../campaigns-queries";
import { useCampaignsTexts } from "../texts/texts";
import { RecipientCounts } from "./recipients";

const ACTIONS: Readonly<Record<Campaign["status"], readonly Action[]>> = {
  draft: ["start", "cancel"],
  running: ["pause", "cancel"],
  paused: ["resume", "cancel"],
  finished: [],
  cancelled: [],
};

/** The changes of the status that are possible now, each with a confirmation. */
export function CampaignActions({ campaign }: { readonly campaign: Campaign }) {
  const texts = useCampaignsTexts();
  const client = useQueryClient();
  const [action, setAction] = useState<Action>();
  const run = async (action: Action) => {
    await actOnCampaign(campaign.id, action);
    toasts.say(texts.done[action]);
    await refreshCampaigns(client);
  };
  return (
    <>
      {ACTIONS[campaign.status].map((one) => (
        <Button
          key={one}
          kind={one === "cancel" || one === "pause" ? "secondary" : "primary"}
          onClick={() => setAction(one)}
        >
          {texts.acts[one]}
        </Button>
      ))}
      {action && (
        <Confirm
          key={action}
          open
          onClose={() => setAction(undefined)}
          title={texts.acts[action]}
          action={texts.acts[action]}
          isDangerous={action === "cancel"}
          isUndoable={action === "pause"}
          explain={(error) => <ActionProblem error={error} />}
          onConfirm={() => run(action)}
        >
          {action === "start" && <Counts id={campaign.id} />}
          <p>{texts.actHints[action]}</p>
        </Confirm>
      )}
    </>
  );
}

/** The recipients, once more at the moment of the decision. */
function Counts({ id }: { readonly id: string }) {
  const preview = useQuery({ ...previewQuery(id), staleTime: 0 });
  return preview.data ? <RecipientCounts preview={preview.data} /> : null;
}

/** Explains why the status was not changed. */
function ActionProblem({ error }: { readonly error: unknown }) {
  const texts = useCampaignsTexts();
  const code = error instanceof HttpError ? error.problem?.code : undefined;
  const messages: Readonly<Partial<Record<string, string>>> = texts.problems;
  const text = code && messages[code];
  if (!text) return <FailureText error={error} />;
  return (
    <p className="failure" role="alert">
      {text}
    </p>
  );
}
