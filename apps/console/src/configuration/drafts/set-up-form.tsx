import { Button } from "@musette/react/ui";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Tagged } from "../../api/client";
import bannerStyles from "../../ui/banner.module.css";
import dialogStyles from "../../ui/dialog.module.css";
import quietStyles from "../../ui/quiet-button.module.css";
import type { FlagsDocument } from "../document/document";
import { ReviewDialog } from "../review/review-dialog";
import { useSaved } from "../save/use-saved";
import { useConfigurationTexts } from "../texts/texts";
import styles from "./set-up.module.css";
import { useDraft } from "./use-draft";

/** The props of each part of the form. */
export interface PartProps<Draft, ConfigurationError> {
  readonly document: FlagsDocument;
  readonly original: Draft;
  readonly draft: Draft;
  readonly isNew: boolean;
  /** Empty until the person first tries to continue. */
  readonly errors: readonly ConfigurationError[];
  readonly onChange: (part: Partial<Draft>) => void;
}

interface SetUpFormProps<Draft, ConfigurationError extends string> {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  /** The name under which the browser stores it. */
  readonly name: string;
  readonly original: Draft;
  readonly isNew: boolean;
  readonly texts: {
    readonly review: string;
    readonly start: string;
    /** Saves it without starting it. */
    readonly later: string;
    readonly saved: (version: string) => string;
    readonly errors: Readonly<Record<ConfigurationError, string>>;
  };
  readonly errorsOf: (
    document: FlagsDocument,
    draft: Draft,
    isNew: boolean,
  ) => readonly ConfigurationError[];
  /** `status` is set if the change starts something or saves it for later. */
  readonly documentWith: (
    document: FlagsDocument,
    draft: Draft,
    status?: "running" | "draft",
  ) => FlagsDocument;
  readonly onSaved: (draft: Draft) => void;
  /** The fields, grouped in parts. */
  readonly fields: (parts: PartProps<Draft, ConfigurationError>) => ReactNode;
  /** The preview of the effects, and warnings. */
  readonly side: (parts: PartProps<Draft, ConfigurationError>) => ReactNode;
}

/** A form with a preview of the effects, and a review of the change before it is saved. */
export function SetUpForm<Draft extends object, ConfigurationError extends string>(
  props: SetUpFormProps<Draft, ConfigurationError>,
) {
  const { env, isNew, texts } = props;
  const shared = useConfigurationTexts();
  const say = useSaved(env, texts.saved);
  // The change remains based on the version that it began with. The review handles a version that
  // was saved meanwhile.
  const [base] = useState(props.base);
  const [original] = useState(props.original);
  const keptDraft = useDraft(props.name, original);
  const { draft } = keptDraft;
  const [hasTried, setTried] = useState(false);
  const [reviewed, setReviewed] = useState<FlagsDocument>();
  const all = props.errorsOf(base.body, draft, isNew);
  const errors = hasTried ? all : [];

  const review = (status?: "running" | "draft") => {
    setTried(true);
    if (all.length === 0) setReviewed(props.documentWith(base.body, draft, status));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    review(isNew ? "running" : undefined);
  };
  const saved = (version: number) => {
    keptDraft.forget();
    say(version);
    props.onSaved(draft);
  };
  const parts = { document: base.body, original, draft, isNew, errors, onChange: keptDraft.change };
  return (
    <>
      <form className={styles.setUp} noValidate onSubmit={submit}>
        {keptDraft.isRestored && (
          <p role="status" className={`${bannerStyles.banner} ${styles.restored}`}>
            {shared.restored}
            <button type="button" className={quietStyles.quiet} onClick={keptDraft.discard}>
              {shared.discardDraft}
            </button>
          </p>
        )}
        <div className={styles.setUpFields}>{props.fields(parts)}</div>
        <div className={styles.setUpSide}>
          {props.side(parts)}
          <div className={dialogStyles.buttons}>
            {isNew && (
              <Button kind="secondary" onClick={() => review("draft")}>
                {texts.later}
              </Button>
            )}
            <Button type="submit">{isNew ? texts.start : texts.review}</Button>
          </div>
          {errors[0] && (
            <p className="failure" role="alert">
              {texts.errors[errors[0]]}
            </p>
          )}
        </div>
      </form>
      <ReviewDialog
        open={reviewed !== undefined}
        environment={env}
        base={base}
        document={reviewed ?? base.body}
        onClose={() => setReviewed(undefined)}
        onSaved={saved}
        onProposed={() => {
          keptDraft.discard();
          // The form is empty again, so it must not show errors yet.
          setTried(false);
        }}
      />
    </>
  );
}
