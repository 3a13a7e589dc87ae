import { Modal } from "@musette/react/ui";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import {
  Autocomplete,
  Header,
  I18nProvider,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  SearchField,
  useFilter,
} from "react-aria-components";
import { useLanguage } from "../language/language-context";
import { Icon } from "../ui/icon";
import { type Command, type CommandGroup, commandGroups, foundGroups } from "./commands";
import styles from "./palette.module.css";
import { useFound } from "./use-found";

export interface PaletteProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** Every page, command and thing with a name, by the keyboard. */
export function Palette(props: PaletteProps) {
  const { open } = props;
  const { texts } = useLanguage();
  const [wasOpen, setWasOpen] = useState(open);
  const [opening, setOpening] = useState(0);
  if (open !== wasOpen) {
    setWasOpen(open);
    // Opened again on its way out, it is empty again too.
    if (open) setOpening(opening + 1);
  }
  return (
    <Modal open={open} onClose={props.onClose} label={texts.palette.title}>
      <PaletteInside key={opening} {...props} />
    </Modal>
  );
}

function PaletteInside({ onClose, onShortcuts }: PaletteProps) {
  const language = useLanguage();
  const { texts } = language;
  const router = useRouter();
  const { contains } = useFilter({ sensitivity: "base" });
  const [typed, setTyped] = useState("");
  const { found, isSearching } = useFound(typed, contains);
  const text = typed.trim();
  const groups = [
    ...commandGroups(language, router, onShortcuts).map((group) => ({
      ...group,
      commands: group.commands.filter(({ words }) => contains(words, text)),
    })),
    ...foundGroups(found, language, router),
  ].filter(({ commands }) => commands.length > 0);

  function run(id: unknown): void {
    onClose();
    groups
      .flatMap(({ commands }) => commands)
      .find((command) => command.id === id)
      ?.run();
  }

  return (
    <I18nProvider locale={language.language.tag}>
      <div className={styles.palette} aria-busy={isSearching}>
        <Autocomplete inputValue={typed} onInputChange={setTyped}>
          <SearchField aria-label={texts.palette.open} autoFocus>
            <Icon name="search" />
            <Input placeholder={texts.palette.placeholder} />
          </SearchField>
          <ListBox
            aria-label={texts.palette.title}
            onAction={run}
            renderEmptyState={() => (
              <p className="note">
                {isSearching ? texts.palette.searching : texts.palette.nothing}
              </p>
            )}
          >
            {groups.map(section)}
          </ListBox>
        </Autocomplete>
      </div>
    </I18nProvider>
  );
}

// Plain functions: React Aria reads the items of its list out of what stands in it.
const section = ({ title, commands }: CommandGroup) => (
  <ListBoxSection key={title} id={title}>
    <Header>{title}</Header>
    {commands.map(item)}
  </ListBoxSection>
);

const item = ({ id, words, detail, icon }: Command) => (
  <ListBoxItem key={id} id={id} textValue={words}>
    <Icon name={icon} />
    <bdi>{words}</bdi>
    {detail && <bdi className="note">{detail}</bdi>}
  </ListBoxItem>
);
