import { useParams } from "@tanstack/react-router";
import type { Tagged } from "../api/client";
import type { FlagsDocument } from "../configuration/document/document";
import { EnvironmentSwitch } from "../configuration/document/environment-switch";
import { WithDocument } from "../configuration/frame";
import { Page } from "../ui/page";
import { PageTools } from "../ui/page-tools";
import { FlagEditor } from "./editor/flag-editor";
import { FlagHead } from "./editor/flag-head";
import { useFlagsTexts } from "./texts/texts";
import { useFlagDraft } from "./use-flag-draft";
import { WaitingChanges } from "./waiting-changes";

export function FlagPage() {
  const { key = "" } = useParams({ strict: false });
  return (
    <Page title={key}>
      <PageTools>
        <EnvironmentSwitch />
      </PageTools>
      <WithDocument>
        {(env, base) => <FlagContent key={`${env}/${key}`} env={env} flagKey={key} base={base} />}
      </WithDocument>
    </Page>
  );
}

interface FlagContentProps {
  readonly env: string;
  readonly flagKey: string;
  readonly base: Tagged<FlagsDocument>;
}

function FlagContent({ env, flagKey, base }: FlagContentProps) {
  const texts = useFlagsTexts();
  const draft = useFlagDraft(env, flagKey, base.body);
  const { flag } = draft;
  if (!flag) {
    return (
      <>
        <WaitingChanges env={env} flagKey={flagKey} />
        <div className="card calm">
          <p>{texts.gone(env)}</p>
          <p className="note">{texts.goneHint}</p>
        </div>
      </>
    );
  }
  return (
    <>
      <FlagHead env={env} base={base} flag={flag} draft={draft} />
      <WaitingChanges env={env} flagKey={flagKey} />
      <FlagEditor env={env} base={base} flag={flag} draft={draft} />
    </>
  );
}
