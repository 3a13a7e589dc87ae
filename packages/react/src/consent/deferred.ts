// One chunk, fetched in parallel with the terms: what the list does not need, but the first tick
// does. If it fails to load, the list is shown, and sending tries to load it again.
export { clearDraft, loadDraft, saveDraft } from "@musette/client/terms";
export { completeConsent } from "../texts/complete-consent";
export { otherLanguage } from "../texts/other-language";
export { failureWords, PendingNotice } from "./pending-notice";
export { prepareSoon } from "./prepare-soon";
export { prepareSubmission } from "./prepare-submission";
export { Reader } from "./reader";
export { SubmissionSender } from "./submission-sender";
