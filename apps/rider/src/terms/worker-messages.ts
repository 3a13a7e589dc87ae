/** Tells every page of the app that something that waited has been answered. */
export const CHANNEL = "musette.pending";
/** The tag of the background sync. */
export const SYNC = "musette-pending";
/** What the worker tells the pages when the terms that it gave are not the server's any more. */
export const TERMS_RENEWED = "terms-renewed";
