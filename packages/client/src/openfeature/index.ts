export { MusetteProvider } from "./musette-provider";
