import { Page } from "../shell/page";
import { useExperimentsTexts } from "./texts/texts";

export function NewExperimentPage() {
  const words = useExperimentsTexts();
  return <Page title={words.create}>{null}</Page>;
}

export function EditExperimentPage() {
  const words = useExperimentsTexts();
  return <Page title={words.edit}>{null}</Page>;
}
