import { Button } from "@musette/react/ui";
import { useState } from "react";
import type { Tagged } from "../../api/client";
import { ForRoles } from "../../ui/for-roles";
import type { FlagsDocument } from "../document/document";
import { ReviewDialog } from "../review/review-dialog";
import { useSaved } from "../save/use-saved";
import { useConfigurationTexts } from "../texts/texts";
import saveBarStyles from "./save-bar.module.css";

interface SaveBarProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  /**
   * The current document without the change. It differs from `document` if the draft began with an
   * older version.
   */
  readonly ancestor: FlagsDocument;
  readonly document: FlagsDocument;
  readonly isNew: boolean;
  readonly title: string;
  readonly saved: (version: string) => string;
  readonly onDiscard: () => void;
}

/** Visible while there are unsaved changes. */
export function SaveBar({ env, title, isNew, onDiscard, ...review }: SaveBarProps) {
  const texts = useConfigurationTexts();
  const [isOpen, setOpen] = useState(false);
  const say = useSaved(env, review.saved);
  const onSaved = (version: number) => {
    setOpen(false);
    onDiscard();
    say(version);
  };
  return (
    <section className={saveBarStyles.bar} data-part="save-bar" aria-label={texts.unsaved}>
      <span>{isNew ? texts.newUnsaved : texts.unsaved}</span>
      <Button kind="secondary" onClick={onDiscard}>
        {texts.discard}
      </Button>
      <ForRoles task="flags" scope={env}>
        <Button onClick={() => setOpen(true)}>{texts.review}</Button>
      </ForRoles>
      <ReviewDialog
        {...review}
        open={isOpen}
        environment={env}
        title={title}
        onClose={() => setOpen(false)}
        onSaved={onSaved}
        onProposed={onDiscard}
      />
    </section>
  );
}
