import { HttpError } from "@musette/client/http";
import { Button } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef } from "react";
import { toasts } from "../../toast/toasts";
import pageStyles from "../../ui/page.module.css";
import { FailureText } from "../../ui/states";
import styles from "../campaigns.module.css";
import { addCampaign, type Campaign, changeCampaign, refreshCampaigns } from "../campaigns-queries";
import { MessagePreview } from "../message-preview";
import { useCampaignsTexts } from "../texts/texts";
import { Timeline, useMilestones } from "../timeline";
import { useStepText } from "../use-step-text";
import { useTerms } from "../use-terms";
import { AudienceFields } from "./audience-fields";
import { dueAt } from "./due";
import { errorAt, isAboutFields } from "./errors";
import { bodyOf, type CampaignForm, formOf, timeOf } from "./form";
import { StepsFields } from "./steps-fields";
import { TextsFields } from "./texts-fields";
import { useForm } from "./use-form";

interface EditorProps {
  /** The name under which unsaved changes are stored. */
  readonly name: string;
  readonly saved: CampaignForm;
  /** Absent for a new one. */
  readonly campaign?: Campaign;
}

/** The form of a campaign, next to its timeline and a preview of its messages. */
export function CampaignEditor({ name, saved, campaign }: EditorProps) {
  const texts = useCampaignsTexts();
  const client = useQueryClient();
  const navigate = useNavigate();
  const draft = useForm(name, saved);
  const terms = useTerms();
  const saving = useMutation({
    mutationFn: () =>
      campaign ? changeCampaign(campaign.id, bodyOf(draft.form)) : addCampaign(bodyOf(draft.form)),
    onSuccess: async ({ id }) => {
      draft.forget();
      toasts.say(texts.saved);
      await navigate({ to: "/campaigns/$campaignId", params: { campaignId: id } });
      await refreshCampaigns(client);
    },
  });
  const isOvertaken = campaign && JSON.stringify(formOf(campaign)) !== JSON.stringify(saved);
  const edit: typeof draft.edit = (change) => {
    // The errors of steps have their numbers.
    if (change(draft.form).steps.length !== draft.form.steps.length) saving.reset();
    draft.edit(change);
  };
  const form = useFocusOnError(saving.isError);
  const term = terms.get(Number(draft.form.term));
  const fields = {
    form: draft.form,
    edit,
    errorAt: errorAt(saving.error, texts),
    term,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate();
  };
  return (
    <div className={`${styles.pair} ${styles.editor}`}>
      <form ref={form} className={styles.form} noValidate onSubmit={submit}>
        <AudienceFields {...fields} isFixed={campaign?.started_at != null} terms={terms} />
        <StepsFields {...fields} />
        <TextsFields {...fields} />
        {isOvertaken && saving.isIdle && (
          <p className="failure" role="alert">
            {texts.overtaken}
          </p>
        )}
        <SaveProblem error={saving.error} />
        <p role="status" className="note">
          {draft.isChanged && (draft.wasRestored ? texts.restored : texts.unsaved)}
        </p>
        <div className={pageStyles.actions}>
          <Button type="submit" loading={saving.isPending}>
            {texts.save}
          </Button>
          {draft.isChanged && (
            <Button kind="secondary" onClick={draft.reset}>
              {texts.reset}
            </Button>
          )}
        </div>
      </form>
      <Preview form={draft.form} term={term} startedAt={campaign?.started_at ?? undefined} />
    </div>
  );
}

/** Moves the focus to the first field with an error after a failed save. */
function useFocusOnError(isError: boolean) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isError) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [isError]);
  return form;
}

function SaveProblem({ error }: { readonly error: unknown }) {
  const texts = useCampaignsTexts();
  if (!error) return null;
  const isConflict = error instanceof HttpError && error.status === 409;
  if (!isConflict && !isAboutFields(error)) return <FailureText error={error} />;
  return (
    <p className="failure" role="alert">
      {isConflict ? texts.savedMeanwhile : texts.check}
    </p>
  );
}

interface PreviewProps {
  readonly form: CampaignForm;
  readonly term: Parameters<typeof MessagePreview>[0]["term"];
  readonly startedAt: string | undefined;
}

/** What the campaign would send, and when, if it started now. */
function Preview({ form, term, startedAt }: PreviewProps) {
  const texts = useCampaignsTexts();
  const milestones = useMilestones(term);
  const stepText = useStepText();
  const now = Date.now();
  const start = startedAt ? Date.parse(startedAt) : now;
  const steps = form.steps.map((step, index) => {
    const when = stepText(timeOf(step));
    const at = dueAt(step, term, start);
    const channel = texts.channels[step.channel];
    return {
      key: String(index),
      at,
      title: when ? `${channel} · ${when}` : channel,
      children: at !== undefined && at < now && !startedAt && <p className="note">{texts.past}</p>,
    };
  });
  return (
    <aside className={`card ${styles.section}`} aria-label={texts.preview}>
      <h2>{texts.timeLine}</h2>
      <Timeline entries={[...milestones, ...steps]} />
      {Object.keys(form.texts).length > 0 && <h2>{texts.preview}</h2>}
      <MessagePreview
        texts={form.texts}
        term={term}
        channels={form.steps.map(({ channel }) => channel)}
      />
    </aside>
  );
}
