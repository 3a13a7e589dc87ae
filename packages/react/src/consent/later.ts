// One fetch, on its way together with the terms: what is not needed to draw the list, but from the
// first tick on. Where it cannot be had, the list is there, and sending asks for it again.
export { clearDraft, loadDraft, saveDraft } from "@musette/client/terms";
export { completeConsent } from "../texts/en-consent-later";
export { Courier } from "./courier";
export { failureWords, PendingNotice } from "./pending-notice";
export { prepareSubmission } from "./prepare";
export { Reader } from "./reader";
