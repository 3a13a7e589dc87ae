import type { KeyboardTexts } from "./texts";

export const fr: KeyboardTexts = {
  title: "Raccourcis clavier",
  everywhere: "Partout",
  goTo: "Aller à une page",
  lists: "Dans une liste",
  here: "Sur cette page",
  palette: "Rechercher partout",
  search: "Rechercher dans cette page",
  map: "Afficher ces raccourcis",
  escape: "Fermer ce qui est ouvert",
  rows: "Ligne suivante ou précédente",
  tenRows: "Dix lignes plus loin",
  ends: "Première ou dernière ligne",
  openRow: "Ouvrir la ligne",
  andThen: "puis",
  or: "ou",
  singleKeys: "Raccourcis à une seule touche",
  singleKeysHint:
    "Désactivez-les si vous parlez à votre ordinateur ou s’il vous arrive d’appuyer par mégarde sur des touches.",
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
