// One chunk with the code that a document needs after its first render.
export { listenGestures } from "./gestures";
export { watchShown } from "./shown";
