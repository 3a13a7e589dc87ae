import { Page } from "../shell/page";
import { useTermsTexts } from "./texts/texts";

export function TermsPage() {
  const words = useTermsTexts();
  return <Page title={words.title}>{null}</Page>;
}
