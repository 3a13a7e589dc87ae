export { changesFirst, type WhenAgreed } from "./changes-first";
