import { Page } from "../shell/page";
import { useFlagsTexts } from "./texts/texts";

export function FlagsPage() {
  const words = useFlagsTexts();
  return <Page title={words.title}>{null}</Page>;
}
