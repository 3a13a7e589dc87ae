import { plural } from "../../language/plural";
import type { ExperimentsTexts } from "./texts";

export const fr: ExperimentsTexts = {
  title: "Expériences",
  intro: "Comparez les variations d’un flag avec un test A/B.",
  create: "Créer une expérience",
  find: "Rechercher par nom, flag ou responsable",
  status: "État",
  anyStatus: "Tous",
  statuses: {
    running: "En cours",
    draft: "Brouillon",
    stopped: "Arrêtée",
    shipped: "Généralisée",
  },
  key: "Expérience",
  flag: "Flag",
  people: "Participants",
  phase: (phase) => `Phase ${phase}`,
  flagOff: "Flag désactivé",
  shown: (count) => `Expériences affichées\u202f: ${count}`,
  none: "Aucune expérience pour l’instant",
  noneHint:
    "Une expérience répartit les personnes au hasard entre les variations d’un flag et compare une métrique. Il faut un flag avec au moins deux variations et une métrique d’objectif.",
  nothing: "Aucune expérience trouvée",
  nothingHint: "Modifiez ou réinitialisez les filtres.",
  clear: "Réinitialiser",
  unknown: "Cette expérience n’existe pas",
  unknownText: "Elle est peut-être dans un autre environnement, ou son flag a été supprimé.",
  gone: "Cette expérience a été retirée de la configuration des flags. Ses résultats sont conservés.",
  all: "Toutes les expériences",
  edit: "Modifier",
  hypothesis: "Hypothèse",
  hypothesisNone: "Aucune hypothèse",
  shipped: (winner) =>
    `Généralisée\u202f: toutes les personnes concernées reçoivent ${winner}. La collecte de données est terminée.`,
  stopped: "Arrêtée. La collecte de données est terminée. Les résultats sont conservés.",
  draft: "Brouillon. Non démarrée.",
  flagIsOff: (flag) => `Le flag ${flag} est désactivé. Aucune personne n’est affectée.`,
  actions: {
    start: "Démarrer l’expérience",
    startAgain: "Redémarrer l’expérience",
    stop: "Arrêter l’expérience",
    stopText: (fallback) =>
      `Plus aucune personne n’est affectée. La règle suivante qui correspond s’applique, sinon ${fallback}.`,
    ship: "Généraliser la variation",
    shipText:
      "Toutes les personnes qui correspondent à la règle reçoivent cette variation. Les personnes d’un groupe exclu ne la reçoivent pas.",
    winner: "Gagnante",
    better: "meilleure",
    notShown: "aucune amélioration significative",
    notShownText:
      "Les résultats ne montrent pas d’amélioration. Si vous la généralisez pour une autre raison, expliquez-la dans le commentaire.",
    unreadable: {
      weights_changed:
        "Ne généralisez pas d’après ces résultats\u202f: les poids ont changé pendant cette phase. Commencez une nouvelle phase.",
      sample_ratio_mismatch:
        "N’utilisez pas ces résultats. La répartition des participants ne correspond pas aux poids. Trouvez la cause et démarrez une nouvelle phase.",
      multiple_exposures:
        "N’utilisez pas ces résultats. Trop de participants ont vu plus d’une variation. Trouvez la cause et démarrez une nouvelle phase.",
    },
    phase: "Démarrer une nouvelle phase",
    phaseText:
      "Recommence le comptage. Les résultats des phases précédentes sont conservés. À utiliser après un changement des poids ou du comportement d’une variation.",
    same: "Conserver les affectations",
    sameText: "À utiliser si les participants ne remarqueront pas la modification.",
    redrawn: "Réaffecter tous les participants",
    redrawnText: "Évite que l’expérience antérieure biaise la nouvelle phase.",
    next: "Continuer",
    saved: (version) => `Enregistré comme version ${version}.`,
  },
  decisions: {
    title: "Décisions",
    hint: "Chaque décision est enregistrée avec les résultats du moment.",
    none: "Rien n’a encore été décidé. Généralisations et arrêts sont consignés avec votre commentaire.",
    record: "Consigner la décision de continuer",
    recordHint:
      "Consigne que vous avez examiné les résultats et décidé de continuer. L’expérience ne change pas.",
    reason: "Raison",
    save: "Consigner la décision",
    kinds: { ship: "Généralisée", stop: "Arrêtée", continue: "Continuée" },
    shipped: (variation) => `Généralisée\u202f: ${variation}`,
    by: (who, when) => `${who}, ${when}`,
    somebody: "Utilisateur effacé",
    shown: "Résultats du moment",
    notRecorded:
      "La modification a été enregistrée, mais pas la décision. Consignez-la ci-dessous.",
  },
  setUp: {
    newTitle: "Nouvelle expérience",
    newIntro: "Les modifications prennent effet une fois relues et enregistrées.",
    editTitle: (key) => `Modifier ${key}`,
    what: "Flag et hypothèse",
    flagHint: "Choisissez un flag avec au moins deux variations.",
    keyField: "Clé de l’expérience",
    keyHint: "Utilisée dans les événements. Elle ne peut pas être modifiée.",
    hypothesisHint: "Le changement que vous attendez, et pourquoi.",
    split: "Poids des variations",
    splitHint:
      "Le total des pourcentages doit être de 100. Une variation à 0\u202f% n’est pas servie.",
    weightOf: (arm) => `${arm}, en pour cent`,
    equal: "Répartir à parts égales",
    sum: (percent) => `Total\u202f: ${percent}`,
    who: "Audience",
    coverage: "Part du trafic, en pour cent",
    coverageHint:
      "Commencez par un petit pourcentage si une variation est risquée. Vous pourrez l’augmenter. Les participants actuels gardent leur variation.",
    unit: "Affecter par",
    unitHint:
      "Attribut utilisé pour l’affectation aléatoire. La même valeur reçoit toujours la même variation.",
    fallbackUnit: "Attribut de repli",
    fallbackHint: "Conserve la variation lorsqu’un candidat devient livreur.",
    none: "Aucun",
    sticky: "Affectation persistante",
    stickyHint: "Les personnes gardent leur variation lorsque les poids ou les critères changent.",
    layer: "Couche",
    layerHint: "Une personne ne peut participer qu’à une seule expérience d’une couche.",
    noLayer: "Aucune",
    newLayer: "Créer une couche…",
    layerName: "Nom de la couche",
    from: "De (%)",
    to: "À (%)",
    place: "Position de la règle",
    places: { last: "En dernier", first: "En premier" },
    placeHint:
      "Les règles sont évaluées de haut en bas. La première correspondance l’emporte. Modifiez les critères sur la page du flag.",
    phase: "Démarrer une nouvelle phase",
    phaseHint:
      "Vous avez modifié les poids ou l’attribut d’affectation. Une nouvelle phase sépare les anciennes données des nouvelles.",
    sampleSize: "Taille d’échantillon et durée",
    effect: "Effet minimal détectable (%)",
    effectHint:
      "Variation relative de la métrique d’objectif. Exemple\u202f: 10\u202f% fait passer 14,0\u202f% à 12,6\u202f% ou 15,4\u202f%. Un effet plus petit demande plus de participants.",
    rate: "Valeur de contrôle attendue (%)",
    rateHint: "Cette métrique n’a pas encore de données. Saisissez une estimation.",
    noEffect: "Saisissez un effet minimal détectable pour estimer la taille d’échantillon.",
    sizeUnknown:
      "Choisissez un flag, une métrique d’objectif et des poids pour voir combien de personnes il faut.",
    noValues: (metric) =>
      `Pas d’estimation\u202f: ${metric} n’a aucune valeur sur les 28 derniers jours.`,
    needed: (people) => `Environ ${people} personnes, toutes variations confondues.`,
    days: plural("fr", { one: "Environ # jour.", other: "Environ # jours." }),
    tooFew:
      "Le trafic est insuffisant. Choisissez un effet plus grand ou une part de trafic plus élevée.",
    traffic: (people, unit) => `${people} personnes sur les 28 derniers jours (par ${unit})`,
    baseline: (metric, value) => `${metric} chez ces personnes\u202f: ${value}.`,
    power: (effect) =>
      `Puissance de 80\u202f% pour détecter un changement de ${effect}. Vous pouvez lire les résultats à tout moment. Laissez l’expérience en cours au moins une semaine.`,
    comparisons: (count) => `Corrigé pour ${count} variations comparées au contrôle (Bonferroni).`,
    happens: "Résumé",
    reaches: (flag) => `Audience\u202f: personnes qui atteignent cette règle de ${flag}`,
    when: (condition) => `Critère\u202f: ${condition}`,
    part: (percent) => `Part de trafic\u202f: ${percent}`,
    partOfLayer: (percent, layer) =>
      `${percent} de ces personnes participent, prises dans la couche ${layer}.`,
    others: (fallback) =>
      `Toutes les autres personnes\u202f: la règle suivante qui correspond, sinon ${fallback}`,
    drawn: (unit) => `Affectation\u202f: par ${unit}`,
    stays: "Affectation persistante\u202f: activée",
    counted: (metric, direction) =>
      `Jugée d’après ${metric}, comptée dès la première participation de chaque personne. ${direction}.`,
    guarded: (metrics) => `Ne doivent pas se dégrader\u202f: ${metrics}.`,
    notCounted: "Aucune métrique d’objectif. Seules les expositions sont comptées.",
    heldOut: (holdouts) => `Hors expérience\u202f: groupes exclus de ${holdouts}`,
    review: "Relire les modifications",
    start: "Relire et démarrer l’expérience",
    plan: "Relire et enregistrer le brouillon",
    errors: {
      flag: "Choisissez un flag.",
      key: "Saisissez une clé.",
      keyTaken: "Une expérience porte déjà ce nom.",
      keyForm:
        "Lettres minuscules, chiffres, points, tirets et tirets bas uniquement\u202f; d’abord une lettre ou un chiffre, 100 au plus.",
      arms: "Saisissez un pourcentage pour au moins deux variations.",
      sum: "Le total des pourcentages doit être de 100.",
      coverage: "Plus de 0, et 100 au plus.",
      slot: "«\u202fDe\u202f» doit être inférieur à «\u202fÀ\u202f». Les deux doivent être compris entre 0 et 100.",
      slotTaken: "Cette plage chevauche une autre expérience de la couche.",
      effect: "0 ou plus. Avec 0, aucune taille d’échantillon n’est planifiée.",
    },
  },
};
