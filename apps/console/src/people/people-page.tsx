import { Page } from "../shell/page";
import { usePeopleTexts } from "./texts/texts";

export function PeoplePage() {
  const words = usePeopleTexts();
  return <Page title={words.title}>{null}</Page>;
}
