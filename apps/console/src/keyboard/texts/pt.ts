import type { KeyboardTexts } from "./texts";

export const pt: KeyboardTexts = {
  title: "Atalhos de teclado",
  everywhere: "Em qualquer lugar",
  goTo: "Ir para uma página",
  lists: "Em uma lista",
  here: "Nesta página",
  palette: "Buscar em tudo",
  search: "Buscar nesta página",
  map: "Mostrar estes atalhos",
  escape: "Fechar o que está aberto",
  rows: "Linha seguinte ou anterior",
  tenRows: "Dez linhas adiante",
  ends: "Primeira ou última linha",
  openRow: "Abrir a linha",
  /** Between two keys that are pressed one after the other. */
  andThen: "depois",
  or: "ou",
  singleKeys: "Atalhos de uma tecla só",
  singleKeysHint: "Desligue-os se você fala com o computador ou aperta teclas sem querer.",
  /** As they stand on a keyboard. */
  keys: {
    control: "Ctrl",
    escape: "Esc",
    enter: "Enter",
    home: "Home",
    end: "End",
    pageUp: "Page Up",
    pageDown: "Page Down",
  },
};
