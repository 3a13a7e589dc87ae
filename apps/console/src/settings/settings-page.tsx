import { Page } from "../shell/page";
import { useSettingsTexts } from "./texts/texts";

export function SettingsPage() {
  const words = useSettingsTexts();
  return <Page title={words.title}>{null}</Page>;
}
