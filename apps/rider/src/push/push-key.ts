/** What riders chose about push messages on this device, and the current subscription. */
export const PUSH_KEY = "musette.push";
