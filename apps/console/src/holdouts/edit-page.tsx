import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Tagged } from "../api/admin";
import { ReviewDialog } from "../diff/review-dialog";
import type { FlagsDocument, Holdout } from "../environment/document";
import { EnvironmentSwitch } from "../environment/environment-switch";
import { useFlagsDocument } from "../environment/flags-document";
import { useEnvironment } from "../environment/use-environment";
import "../experiments/experiments.css";
import "../experiments/set-up.css";
import { SetUpFrame } from "../experiments/set-up-frame";
import { useDraft } from "../experiments/use-draft";
import { useSaved } from "../experiments/use-saved";
import { isolated } from "../results/use-figures";
import { Page } from "../shell/page";
import { Skeleton } from "../shell/skeleton";
import { LoadFailed } from "../shell/states";
import {
  type Draft,
  documentWith,
  draftOf,
  emptyDraft,
  faultsOf,
  movesPeople,
  phaseOf,
} from "./draft";
import { AppliesPart, WhenPart, WhoPart } from "./edit-parts";
import { EditPreview } from "./edit-preview";
import { useHoldoutsTexts } from "./texts/texts";

export function NewHoldoutPage() {
  const { form } = useHoldoutsTexts();
  const { env } = useEnvironment();
  const found = useFlagsDocument(env);
  return (
    <Page title={form.newTitle} intro={form.intro} isNowhere>
      <div className="deeds-bar">
        <EnvironmentSwitch />
      </div>
      {found.isPending && <Skeleton rows={8} />}
      {found.isError && <LoadFailed error={found.error} onRetry={found.refetch} />}
      {found.data && (
        <Edit
          key={env}
          env={env}
          base={found.data}
          name={`holdout.${env}.new`}
          original={emptyDraft}
        />
      )}
    </Page>
  );
}

export function EditHoldoutPage() {
  const words = useHoldoutsTexts();
  const { key } = useParams({ from: "/inside/environment/holdouts/$key/edit" });
  const { env } = useEnvironment();
  const found = useFlagsDocument(env);
  const holdout = found.data?.body.holdouts.find((it) => it.key === key);
  return (
    <Page title={words.form.editTitle(isolated(key))} intro={words.form.intro} isNowhere>
      {found.isPending && <Skeleton rows={8} />}
      {found.isError && <LoadFailed error={found.error} onRetry={found.refetch} />}
      {found.isSuccess && !holdout && <p className="banner">{words.unknownText}</p>}
      {found.data && holdout && (
        <Edit
          key={env}
          env={env}
          base={found.data}
          name={`holdout.${env}.key.${key}`}
          original={draftOf(holdout)}
          holdout={holdout}
        />
      )}
    </Page>
  );
}

interface EditProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  /** Under which it is kept in this browser. */
  readonly name: string;
  readonly original: Draft;
  /** Absent for a new one. */
  readonly holdout?: Holdout;
}

function Edit(props: EditProps) {
  const words = useHoldoutsTexts();
  const { form } = words;
  const navigate = useNavigate();
  const { env, holdout } = props;
  const say = useSaved(env, words.saved);
  // What somebody began with stays the ground of it; a version saved meanwhile is met at the review.
  const [base] = useState(props.base);
  const [original] = useState(props.original);
  const kept = useDraft(props.name, original);
  const { draft } = kept;
  const [hasTried, setTried] = useState(false);
  const [reviewed, setReviewed] = useState<{ readonly status: Holdout["status"] | undefined }>();
  const isNew = !holdout;
  const faults = faultsOf(base.body, draft, isNew);
  const phase = holdout && phaseOf(holdout, new Date());
  const moves = (phase === "running" || phase === "analysis") && movesPeople(original, draft);

  const review = (status: Holdout["status"] | undefined) => {
    setTried(true);
    if (faults.length === 0) setReviewed({ status });
  };
  const saved = (version: number) => {
    kept.forget();
    say(version);
    void navigate({ to: "/holdouts/$key", params: { key: draft.key } });
  };
  const parts = {
    document: base.body,
    draft,
    isNew,
    faults: hasTried ? faults : [],
    onChange: kept.change,
  };
  return (
    <>
      <SetUpFrame
        isRestored={kept.isRestored}
        onDiscard={kept.discard}
        fault={hasTried && faults[0] ? form.faults[faults[0]] : undefined}
        action={isNew ? form.start : form.review}
        onAction={() => review(isNew ? "running" : undefined)}
        {...(isNew && { later: { words: form.draft, run: () => review("draft") } })}
        side={
          <>
            <EditPreview document={base.body} draft={draft} />
            {moves && (
              <p role="alert" className="failure">
                {form.moves}
              </p>
            )}
          </>
        }
      >
        <WhoPart {...parts} />
        <AppliesPart {...parts} />
        <WhenPart {...parts} />
      </SetUpFrame>
      <ReviewDialog
        open={reviewed !== undefined}
        environment={env}
        base={base}
        document={documentWith(base.body, draft, reviewed?.status)}
        onClose={() => setReviewed(undefined)}
        onSaved={saved}
      />
    </>
  );
}
