import { Page } from "../shell/page";
import { useHoldoutsTexts } from "./texts/texts";

export function HoldoutsPage() {
  const words = useHoldoutsTexts();
  return <Page title={words.title}>{null}</Page>;
}
