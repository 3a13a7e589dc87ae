import { WorkRecordPage } from "../my-record/work-record-page";
import { RestrictionsPage } from "../restrictions/restrictions-page";
import { usePath } from "../router/router";
import { ContestPage } from "../work-record/contest-page";
import { EvaluationPage } from "../work-record/evaluation-page";

/** The pages about decisions of the company. They are one chunk, which keeps the app's first script small. */
export function DecisionPages() {
  const path = usePath();
  if (path.startsWith("/evaluation")) return <EvaluationPage />;
  if (path.startsWith("/restrictions")) return <RestrictionsPage />;
  return path.startsWith("/contest") ? <ContestPage /> : <WorkRecordPage />;
}
