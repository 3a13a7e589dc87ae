import type { KeyboardTexts } from "./texts";

export const fr: KeyboardTexts = {
  title: "Raccourcis clavier",
  everywhere: "Partout",
  goTo: "Aller à une page",
  lists: "Dans une liste",
  here: "Sur cette page",
  palette: "Ouvrir la recherche",
  search: "Rechercher dans cette page",
  map: "Afficher les raccourcis clavier",
  escape: "Fermer la boîte de dialogue",
  rows: "Ligne suivante ou précédente",
  tenRows: "Avancer de dix lignes",
  ends: "Première ou dernière ligne",
  openRow: "Ouvrir la ligne",
  andThen: "puis",
  or: "ou",
  singleKeys: "Raccourcis à une touche",
  singleKeysHint:
    "Désactivez-les si vous utilisez la commande vocale ou appuyez sur des touches par erreur.",
  keys: {
    control: "Ctrl",
    escape: "Échap",
    enter: "Entrée",
    home: "Début",
    end: "Fin",
    pageUp: "Page préc.",
    pageDown: "Page suiv.",
  },
};
