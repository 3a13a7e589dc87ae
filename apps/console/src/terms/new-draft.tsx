import { Button, type ButtonProps } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useOnlyWithin } from "../api/use-may";
import { FailureText } from "../ui/states";
import { defaultDates } from "./draft/default-dates";
import { type DraftBody, emptyDraft } from "./draft/draft";
import { addDraft } from "./draft/draft-calls";
import { draftsQuery } from "./terms-query";

const ADDING = "term-draft-add";

interface NewDraftProps extends Pick<ButtonProps, "children" | "kind"> {
  /** The initial content. */
  readonly body?: DraftBody;
}

/** Creates a draft on the server and opens it, so that typed text is never lost. */
export function NewDraft({ body, children, ...button }: NewDraftProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  // A person who may write only for one market starts there.
  const [market] = useOnlyWithin("terms");
  const begun = () => ({ ...emptyDraft, ...defaultDates(), ...(market && { market }) });
  const adding = useMutation({
    mutationKey: [ADDING],
    mutationFn: () => addDraft(body ?? begun()),
    onSuccess: async ({ id }) => {
      void client.invalidateQueries({ queryKey: draftsQuery.queryKey });
      await navigate({ to: "/terms/drafts/$draftId", params: { draftId: id } });
    },
  });
  const add = () => {
    // The second press of a double click comes before the button is rendered as busy.
    if (client.isMutating({ mutationKey: [ADDING] }) === 0) adding.mutate();
  };
  return (
    <>
      <Button {...button} loading={adding.isPending} onClick={add}>
        {children}
      </Button>
      {adding.isError && <FailureText error={adding.error} />}
    </>
  );
}
