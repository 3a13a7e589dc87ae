import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Tagged } from "../api/admin";
import { ReviewDialog } from "../diff/review-dialog";
import type { ExperimentStatus, FlagsDocument } from "../environment/document";
import { EnvironmentSwitch } from "../environment/environment-switch";
import { useFlagsDocument } from "../environment/flags-document";
import { useEnvironment } from "../environment/use-environment";
import { isolated } from "../results/use-figures";
import { Page } from "../shell/page";
import { Skeleton } from "../shell/skeleton";
import { LoadFailed } from "../shell/states";
import { type Draft, documentWith, draftOf, faultsOf, mixesPhase, newDraft } from "./draft";
import "./experiments.css";
import "./set-up.css";
import { experimentOf } from "./of-document";
import { SetUpFrame } from "./set-up-frame";
import { SplitPart, WhatPart, WhoPart } from "./set-up-parts";
import { SetUpPreview } from "./set-up-preview";
import { useExperimentsTexts } from "./texts/texts";
import { TickField } from "./tick-field";
import { useDraft } from "./use-draft";
import { useSaved } from "./use-saved";

export function NewExperimentPage() {
  const { setUp } = useExperimentsTexts();
  const { flag } = useSearch({ from: "/inside/environment/experiments/new" });
  const { env } = useEnvironment();
  const found = useFlagsDocument(env);
  const chosen = found.data?.body.flags.find(({ key }) => key === flag);
  return (
    <Page title={setUp.newTitle} intro={setUp.newIntro} isNowhere>
      <div className="deeds-bar">
        <EnvironmentSwitch />
      </div>
      {found.isPending && <Skeleton rows={8} />}
      {found.isError && <LoadFailed error={found.error} onRetry={found.refetch} />}
      {found.data && (
        <SetUp
          key={env}
          env={env}
          base={found.data}
          name={`experiment.${env}.new`}
          original={newDraft(found.data.body, chosen)}
          isNew
        />
      )}
    </Page>
  );
}

export function EditExperimentPage() {
  const words = useExperimentsTexts();
  const { key } = useParams({ from: "/inside/environment/experiments/$key/edit" });
  const { env } = useEnvironment();
  const found = useFlagsDocument(env);
  const placed = found.data && experimentOf(found.data.body, key);
  return (
    <Page title={words.setUp.editTitle(isolated(key))} intro={words.setUp.newIntro} isNowhere>
      {found.isPending && <Skeleton rows={8} />}
      {found.isError && <LoadFailed error={found.error} onRetry={found.refetch} />}
      {found.isSuccess && !placed && <p className="banner">{words.unknownText}</p>}
      {found.data && placed && (
        <SetUp
          key={env}
          env={env}
          base={found.data}
          name={`experiment.${env}.key.${key}`}
          original={draftOf(found.data.body, placed)}
          status={placed.experiment.status}
        />
      )}
    </Page>
  );
}

interface SetUpProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  /** Under which it is kept in this browser. */
  readonly name: string;
  readonly original: Draft;
  readonly isNew?: boolean;
  readonly status?: ExperimentStatus;
}

function SetUp(props: SetUpProps) {
  const words = useExperimentsTexts();
  const { setUp } = words;
  const navigate = useNavigate();
  const { env, isNew = false } = props;
  const say = useSaved(env, words.deeds.saved);
  // What somebody began with stays the ground of it; a version saved meanwhile is met at the review.
  const [base] = useState(props.base);
  const [original] = useState(props.original);
  const kept = useDraft(props.name, original);
  const { draft } = kept;
  const [hasTried, setTried] = useState(false);
  const [reviewed, setReviewed] = useState<{ readonly status: ExperimentStatus | undefined }>();
  const faults = faultsOf(base.body, draft, isNew);

  const review = (status: ExperimentStatus | undefined) => {
    setTried(true);
    if (faults.length === 0) setReviewed({ status });
  };
  const saved = (version: number) => {
    kept.forget();
    say(version);
    void navigate({ to: "/experiments/$key", params: { key: draft.key } });
  };
  const parts = {
    document: base.body,
    draft,
    isNew,
    faults: hasTried ? faults : [],
    onChange: kept.change,
  };
  const isMixing = props.status === "running" && mixesPhase(original, draft);
  return (
    <>
      <SetUpFrame
        isRestored={kept.isRestored}
        onDiscard={kept.discard}
        fault={hasTried && faults[0] ? setUp.faults[faults[0]] : undefined}
        action={isNew ? setUp.start : setUp.review}
        onAction={() => review(isNew ? "running" : undefined)}
        {...(isNew && { later: { words: setUp.plan, run: () => review("draft") } })}
        side={
          <>
            <SetUpPreview document={base.body} draft={draft} />
            {isMixing && (
              <TickField
                label={setUp.phase}
                hint={setUp.phaseHint}
                isOn={draft.isNewPhase}
                onChange={(isNewPhase) => kept.change({ isNewPhase })}
              />
            )}
          </>
        }
      >
        <WhatPart {...parts} />
        <SplitPart {...parts} />
        <WhoPart {...parts} />
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
