import type { Tagged } from "../../api/client";
import { toasts } from "../../toast/toasts";
import type { FlagsDocument } from "../document/document";
import { ReviewDialog } from "./review-dialog";

interface ProposedChangeProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  /** Undefined: nothing is proposed. */
  readonly proposed: FlagsDocument | undefined;
  readonly saved: (version: string) => string;
  readonly onClose: () => void;
}

/** Reviews a change that was made in one step, such as by a form or a "Remove" button. */
export function ProposedChange({ env, base, proposed, saved, onClose }: ProposedChangeProps) {
  if (!proposed) return null;
  return (
    <ReviewDialog
      open
      environment={env}
      base={base}
      document={proposed}
      onClose={onClose}
      onSaved={(version) => {
        onClose();
        toasts.say(saved(String(version)));
      }}
    />
  );
}
