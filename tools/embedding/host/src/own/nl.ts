import type { TextsAtHand } from "@musette/react/texts";

export const nl: TextsAtHand = {
  lang: "nl",
  dir: "ltr",
  consent: {
    title: "Voorwaarden",
    description: "Ga akkoord met de voorwaarden om verder te gaan",
    agreeAll: "Akkoord met alles",
    agreeAllNote: (total) => `Alle ${total} documenten hieronder, ook de vrijwillige`,
    optional: "Vrijwillig",
    changed: "Gewijzigd",
    accept: "Akkoord en verder",
    back: "Terug",
    close: "Sluiten",
    open: (title) => `${title} openen`,
    openAll: "Alle documenten openen",
    requiredLeft: (n) =>
      n === 1 ? "Nog 1 verplichte voorwaarde" : `Nog ${n} verplichte voorwaarden`,
    loading: "De voorwaarden worden geladen",
    loadingSlow: "Nog bezig met laden. De verbinding is traag.",
    sending: "Bezig met versturen",
    saved: "Je keuze is vastgelegd.",
    noTerms: "Er zijn nu geen voorwaarden.",
    loadFailed: "De voorwaarden konden niet worden geladen.",
    viewerFailed: "Het document kon niet worden geopend.",
    tryAgain: "Opnieuw proberen",
    tryNow: "Nu proberen",
    submitFailed: {
      offline: "Er kwam geen antwoord. Probeer het opnieuw: niets wordt dubbel vastgelegd.",
      changed: "De voorwaarden zijn intussen gewijzigd. Bekijk ze en ga opnieuw akkoord.",
    },
  },
  // Texts that a language leaves out here are shown in English.
  viewer: { next: "Volgende document", previous: "Vorige document" },
};
