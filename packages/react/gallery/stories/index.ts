import type { Story } from "../story";
import { comparison, markets, overlay, viewers } from "./around";
import { consent } from "./consent";
import { kit } from "./kit";

export interface Group {
  readonly title: string;
  readonly stories: readonly Story[];
}

export const groups: readonly Group[] = [
  { title: "@musette/react/ui and language", stories: kit },
  { title: "@musette/react/consent", stories: consent },
  { title: "@musette/react/markets", stories: markets },
  { title: "@musette/react/comparison and changes", stories: comparison },
  { title: "@musette/react/viewer", stories: viewers },
  { title: "@musette/react/flags", stories: overlay },
];
