import { usePath } from "../router/router";
import { ContestPage } from "./contest-page";
import { EvaluationPage } from "./evaluation-page";
import { WorkRecordPage } from "./work-record-page";

/** The pages of the work record. They are one chunk, which keeps the app's first script small. */
export function WorkPages() {
  const path = usePath();
  if (path.startsWith("/evaluation")) return <EvaluationPage />;
  return path.startsWith("/contest") ? <ContestPage /> : <WorkRecordPage />;
}
