import type { KeyboardTexts } from "./texts";

export const pt: KeyboardTexts = {
  title: "Atalhos de teclado",
  everywhere: "Em qualquer lugar",
  goTo: "Ir para uma página",
  lists: "Em uma lista",
  here: "Nesta página",
  palette: "Abrir pesquisa",
  search: "Buscar nesta página",
  map: "Mostrar atalhos de teclado",
  escape: "Fechar caixa de diálogo",
  rows: "Linha seguinte ou anterior",
  tenRows: "Avançar dez linhas",
  ends: "Primeira ou última linha",
  openRow: "Abrir a linha",
  /** Between two keys that are pressed one after the other. */
  andThen: "depois",
  or: "ou",
  singleKeys: "Atalhos de uma tecla",
  singleKeysHint: "Desative se você usa controle por voz ou pressiona teclas por engano.",
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
