/** The channel that tells every page of the app that a waiting submission was answered. */
export const CHANNEL = "musette.pending";
/** The tag of the background sync. */
export const SYNC = "musette-pending";
/** The worker's message to the pages when the terms that it served are stale. */
export const TERMS_RENEWED = "terms-renewed";
