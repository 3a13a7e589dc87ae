import { Modal } from "@musette/react/ui";
import { useNavigate } from "@tanstack/react-router";
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
import { Icon } from "../shell/icon";
import { commandGroups } from "./commands";

export interface PaletteProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Every page and command, by the keyboard. */
export function Palette({ open, onClose }: PaletteProps) {
  const language = useLanguage();
  const { texts } = language;
  const { contains } = useFilter({ sensitivity: "base" });
  const groups = commandGroups(language, useNavigate());

  function run(id: unknown): void {
    onClose();
    groups
      .flatMap(({ commands }) => commands)
      .find((command) => command.id === id)
      ?.run();
  }

  return (
    <Modal open={open} onClose={onClose} label={texts.palette.title}>
      <I18nProvider locale={language.language.tag}>
        <div className="palette">
          <Autocomplete filter={contains}>
            <SearchField aria-label={texts.palette.open} autoFocus>
              <Icon name="search" />
              <Input placeholder={texts.palette.placeholder} />
            </SearchField>
            <ListBox
              aria-label={texts.palette.title}
              onAction={run}
              renderEmptyState={() => <p className="note">{texts.palette.nothing}</p>}
            >
              {groups.map(({ title, commands }) => (
                <ListBoxSection key={title}>
                  <Header>{title}</Header>
                  {commands.map(({ id, words, icon }) => (
                    <ListBoxItem key={id} id={id} textValue={words}>
                      <Icon name={icon} />
                      {words}
                    </ListBoxItem>
                  ))}
                </ListBoxSection>
              ))}
            </ListBox>
          </Autocomplete>
        </div>
      </I18nProvider>
    </Modal>
  );
}
