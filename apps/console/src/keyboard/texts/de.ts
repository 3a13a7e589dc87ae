import type { KeyboardTexts } from "./texts";

export const de: KeyboardTexts = {
  title: "Tastenkürzel",
  everywhere: "Überall",
  goTo: "Zu einer Seite",
  lists: "In einer Liste",
  here: "Auf dieser Seite",
  palette: "Suche öffnen",
  search: "Diese Seite durchsuchen",
  map: "Tastaturkürzel anzeigen",
  escape: "Dialog schließen",
  rows: "Nächste oder vorige Zeile",
  tenRows: "Zehn Zeilen weiter",
  ends: "Erste oder letzte Zeile",
  openRow: "Zeile öffnen",
  andThen: "dann",
  or: "oder",
  singleKeys: "Kürzel mit einer Taste",
  singleKeysHint:
    "Schalten Sie sie aus, wenn Sie Sprachsteuerung verwenden oder versehentlich Tasten drücken.",
  keys: {
    control: "Strg",
    escape: "Esc",
    enter: "Eingabe",
    home: "Pos 1",
    end: "Ende",
    pageUp: "Bild auf",
    pageDown: "Bild ab",
  },
};
