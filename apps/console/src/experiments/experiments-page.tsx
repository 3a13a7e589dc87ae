import { Page } from "../shell/page";
import { useExperimentsTexts } from "./texts/texts";

export function ExperimentsPage() {
  const words = useExperimentsTexts();
  return <Page title={words.title}>{null}</Page>;
}
