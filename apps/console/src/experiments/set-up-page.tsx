import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { Tagged } from "../api/client";
import type { ExperimentStatus, FlagsDocument } from "../configuration/document/document";
import { EnvironmentSwitch } from "../configuration/document/environment-switch";
import { SetUpForm } from "../configuration/drafts/set-up-form";
import { WithDocument } from "../configuration/frame";
import { RolesPart } from "../configuration/metrics/roles-part";
import { useMetricTexts } from "../configuration/metrics/texts/texts";
import styles from "../results/experiments.module.css";
import { isolated } from "../results/use-figures";
import bannerStyles from "../ui/banner.module.css";
import { Page } from "../ui/page";
import { TickField } from "../ui/tick-field";
import { type Draft, documentWith, draftOf, errorsOf, mixesPhase, newDraft } from "./draft";
import { experimentOf } from "./of-document";
import { SampleSizePart } from "./sample-size";
import { SplitPart, WhatPart, WhoPart } from "./set-up-parts";
import { SetUpPreview } from "./set-up-preview";
import { useExperimentsTexts } from "./texts/texts";

export function NewExperimentPage() {
  const { setUp } = useExperimentsTexts();
  const search = useSearch({ from: "/inside/environment/experiments/new" });
  return (
    <Page title={setUp.newTitle} intro={setUp.newIntro} isNowhere>
      <div className={styles.actionsBar}>
        <EnvironmentSwitch />
      </div>
      <WithDocument>
        {(env, base) => {
          const flag = base.body.flags.find(({ key }) => key === search.flag);
          return <SetUp key={env} env={env} base={base} original={newDraft(base.body, flag)} />;
        }}
      </WithDocument>
    </Page>
  );
}

export function EditExperimentPage() {
  const texts = useExperimentsTexts();
  const { key } = useParams({ from: "/inside/environment/experiments/$key/edit" });
  return (
    <Page title={texts.setUp.editTitle(isolated(key))} intro={texts.setUp.newIntro} isNowhere>
      <WithDocument>
        {(env, base) => {
          const placed = experimentOf(base.body, key);
          if (!placed) return <p className={bannerStyles.banner}>{texts.unknownText}</p>;
          const { status } = placed.experiment;
          const original = draftOf(base.body, placed);
          return <SetUp key={env} env={env} base={base} original={original} status={status} />;
        }}
      </WithDocument>
    </Page>
  );
}

interface SetUpProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  readonly original: Draft;
  /** Absent for a new experiment. */
  readonly status?: ExperimentStatus;
}

function SetUp({ env, base, original, status }: SetUpProps) {
  const { setUp, actions } = useExperimentsTexts();
  const metric = useMetricTexts();
  const navigate = useNavigate();
  return (
    <SetUpForm
      env={env}
      base={base}
      name={`experiment.${env}.${status ? `key.${original.key}` : "new"}`}
      original={original}
      isNew={!status}
      texts={{
        ...setUp,
        errors: { ...setUp.errors, ...metric.errors },
        later: setUp.plan,
        saved: actions.saved,
      }}
      errorsOf={errorsOf}
      documentWith={documentWith}
      onSaved={({ key }) => void navigate({ to: "/experiments/$key", params: { key } })}
      side={({ document, original, draft, onChange }) => (
        <>
          <SetUpPreview document={document} draft={draft} />
          {status === "running" && mixesPhase(original, draft) && (
            <TickField
              label={setUp.phase}
              hint={setUp.phaseHint}
              isOn={draft.isNewPhase}
              onChange={(isNewPhase) => onChange({ isNewPhase })}
            />
          )}
        </>
      )}
      fields={(parts) => (
        <>
          <WhatPart {...parts} />
          <RolesPart {...parts} />
          <SplitPart {...parts} />
          <WhoPart {...parts} />
          <SampleSizePart env={env} {...parts} />
        </>
      )}
    />
  );
}
