// One chunk with the code that the first tick needs, but not the list. The browser fetches it in parallel
// with the terms. If it fails to load, the list is still shown, and sending loads it again.
export { clearDraft, loadDraft, saveDraft } from "@musette/client/terms";
export { completeConsent } from "../texts/complete-consent";
export { otherLanguage } from "../texts/other-language";
export { failureMessage, PendingNotice, requiredFrom } from "./pending-notice";
export { prepareSoon } from "./prepare-soon";
export { prepareSubmission } from "./prepare-submission";
export { Reader } from "./reader";
export { SubmissionSender } from "./submission-sender";
