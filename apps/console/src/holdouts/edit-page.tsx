import { useNavigate, useParams } from "@tanstack/react-router";
import type { Tagged } from "../api/client";
import type { FlagsDocument, Holdout } from "../configuration/document/document";
import { EnvironmentSwitch } from "../configuration/document/environment-switch";
import { SetUpForm } from "../configuration/drafts/set-up-form";
import { WithDocument } from "../configuration/frame";
import { RolesPart } from "../configuration/metrics/roles-part";
import { useMetricTexts } from "../configuration/metrics/texts/texts";
import styles from "../results/experiments.module.css";
import { isolated } from "../results/use-figures";
import bannerStyles from "../ui/banner.module.css";
import { Page } from "../ui/page";
import { documentWith, draftOf, emptyDraft, errorsOf, movesPeople, phaseOf } from "./draft";
import { AppliesPart, WhenPart, WhoPart } from "./edit-parts";
import { EditPreview } from "./edit-preview";
import { useHoldoutsTexts } from "./texts/texts";

export function NewHoldoutPage() {
  const { form } = useHoldoutsTexts();
  return (
    <Page title={form.newTitle} intro={form.intro} isNowhere>
      <div className={styles.actionsBar}>
        <EnvironmentSwitch />
      </div>
      <WithDocument>{(env, base) => <Edit key={env} env={env} base={base} />}</WithDocument>
    </Page>
  );
}

export function EditHoldoutPage() {
  const texts = useHoldoutsTexts();
  const { key } = useParams({ from: "/inside/environment/holdouts/$key/edit" });
  return (
    <Page title={texts.form.editTitle(isolated(key))} intro={texts.form.intro} isNowhere>
      <WithDocument>
        {(env, base) => {
          const holdout = base.body.holdouts.find((holdout) => holdout.key === key);
          if (!holdout) return <p className={bannerStyles.banner}>{texts.unknownText}</p>;
          return <Edit key={env} env={env} base={base} holdout={holdout} />;
        }}
      </WithDocument>
    </Page>
  );
}

interface EditProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  /** Absent for a new holdout. */
  readonly holdout?: Holdout;
}

function Edit({ env, base, holdout }: EditProps) {
  const { form, saved } = useHoldoutsTexts();
  const metric = useMetricTexts();
  const navigate = useNavigate();
  const phase = holdout && phaseOf(holdout, new Date());
  const isUnderWay = phase === "running" || phase === "analysis";
  return (
    <SetUpForm
      env={env}
      base={base}
      name={`holdout.${env}.${holdout ? `key.${holdout.key}` : "new"}`}
      original={holdout ? draftOf(holdout) : emptyDraft}
      isNew={!holdout}
      texts={{
        ...form,
        errors: { ...form.errors, ...metric.errors },
        later: form.draft,
        saved,
      }}
      errorsOf={errorsOf}
      documentWith={documentWith}
      onSaved={({ key }) => void navigate({ to: "/holdouts/$key", params: { key } })}
      side={({ document, original, draft }) => (
        <>
          <EditPreview document={document} draft={draft} />
          {isUnderWay && movesPeople(original, draft) && (
            <p role="alert" className="failure">
              {form.moves}
            </p>
          )}
        </>
      )}
      fields={(parts) => (
        <>
          <WhoPart {...parts} />
          <AppliesPart {...parts} />
          <RolesPart {...parts} />
          <WhenPart {...parts} />
        </>
      )}
    />
  );
}
