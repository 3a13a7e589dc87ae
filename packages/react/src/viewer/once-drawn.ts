// One fetch for what a document has use for once it can be seen.
export { listenGestures } from "./gestures";
export { watchShown } from "./shown";
