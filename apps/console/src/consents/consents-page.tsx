import { Page } from "../shell/page";
import { useConsentsTexts } from "./texts/texts";

export function ConsentsPage() {
  const words = useConsentsTexts();
  return <Page title={words.title}>{null}</Page>;
}
