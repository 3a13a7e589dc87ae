import { plural } from "../../language/plural";
import type { ExperimentsTexts } from "./texts";

export const fr: ExperimentsTexts = {
  title: "Expériences",
  intro:
    "Quelle variation d’un flag réussit le mieux, observée chez des personnes qui ne le savent pas.",
  create: "Nouvelle expérience",
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
  arms: "Variations",
  people: "Personnes à ce jour",
  phase: (phase) => `Phase ${phase}`,
  flagOff: "Flag désactivé",
  shown: (count) => `Expériences affichées\u202f: ${count}`,
  none: "Aucune expérience pour l’instant",
  noneHint:
    "Une expérience donne à chaque personne, au hasard, une des variations d’un flag et compte ce qui s’ensuit. Prenez un flag à deux variations, dites combien de personnes participent et ce qui doit s’améliorer.",
  nothing: "Aucune expérience ne correspond.",
  nothingHint: "Essayez un autre mot ou un autre état.",
  clear: "Réinitialiser",
  unknown: "Cette expérience n’existe pas ici",
  unknownText: "Elle appartient peut-être à un autre environnement, ou son flag a été supprimé.",
  gone: "Cette expérience n’est plus dans les flags. Ce qu’elle a montré reste.",
  all: "Toutes les expériences",
  edit: "Modifier",
  hypothesis: "Hypothèse",
  hypothesisNone: "Aucune hypothèse n’est notée.",
  shipped: (winner) => `Tout le monde reçoit maintenant ${winner}. Plus personne n’est compté.`,
  stopped:
    "Arrêtée\u202f: plus personne n’y participe, et plus personne n’est compté. Ce qui a été observé reste.",
  draft: "Brouillon\u202f: personne ne participe avant le démarrage.",
  flagIsOff: (flag) => `Le flag ${flag} est désactivé\u202f: personne ne voit de variation.`,
  actions: {
    start: "Démarrer",
    startAgain: "Redémarrer",
    stop: "Arrêter",
    stopText: (fallback) =>
      `À partir de là, plus personne n’en reçoit de variation\u202f: les règles suivantes décident, et enfin ${fallback}.`,
    ship: "Généraliser une gagnante",
    shipText:
      "Toutes les personnes que vise la règle reçoivent la gagnante. Les exclus d’un groupe exclu le restent.",
    winner: "Gagnante",
    better: "meilleure",
    notShown: "non démontrée meilleure",
    notShownText:
      "Les résultats ne montrent pas que celle-ci est meilleure. Ne la généralisez que pour une autre bonne raison, et dites-la dans le commentaire.",
    unreadable: {
      weights_changed:
        "Ne généralisez pas d’après ces résultats\u202f: les poids ont changé pendant cette phase. Commencez une nouvelle phase.",
      sample_ratio_mismatch:
        "Ne généralisez pas d’après ces résultats\u202f: les personnes ne sont pas arrivées dans la proportion des poids, aucune variation n’est donc démontrée meilleure. Trouvez la cause et commencez une nouvelle phase.",
      multiple_exposures:
        "Ne généralisez pas d’après ces résultats\u202f: trop de personnes ont vu plus d’une variation, aucune n’est donc démontrée meilleure. Trouvez la cause et commencez une nouvelle phase.",
    },
    phase: "Nouvelle phase",
    phaseText:
      "Le comptage recommence\u202f: les phases précédentes restent lisibles. À faire après un changement des poids ou de ce que fait une variation.",
    same: "Laisser chacun dans sa variation",
    sameText: "Pour un changement que personne ne remarquerait.",
    redrawn: "Affecter tout le monde de nouveau",
    redrawnText: "Pour que ce que l’on connaissait d’avant ne fausse pas la nouvelle phase.",
    next: "Continuer",
    saved: (version) => `Enregistré comme version ${version}.`,
  },
  decisions: {
    title: "Décisions",
    hint: "Chacune est conservée avec ce que disaient alors les résultats, et n’est jamais modifiée.",
    none: "Rien n’a encore été décidé. Généralisations et arrêts sont consignés avec votre commentaire.",
    record: "Consigner la décision de continuer",
    recordHint:
      "Rien ne change. On garde la trace que quelqu’un a lu les résultats et décidé de continuer.",
    reason: "Raison",
    save: "Consigner",
    kinds: { ship: "Généralisée", stop: "Arrêtée", continue: "Continuée" },
    shipped: (variation) => `Généralisée\u202f: ${variation}`,
    by: (who, when) => `${who}, ${when}`,
    somebody: "une personne effacée",
    shown: "Ce que disaient les résultats",
    notRecorded:
      "Enregistré, mais la décision n’a pas pu être consignée\u202f: consignez-la ci-dessous.",
  },
  setUp: {
    newTitle: "Nouvelle expérience",
    newIntro: "Rien ne se passe avant que vous ayez relu et enregistré la modification.",
    editTitle: (key) => `Modifier ${key}`,
    what: "Flag et hypothèse",
    flagHint: "Un flag à deux variations au moins.",
    keyField: "Nom de l’expérience",
    keyHint: "Les événements le portent, et il reste. Lettres, chiffres, points, tirets.",
    hypothesisHint: "Ce que vous attendez, et pourquoi. Qui lira les résultats vous en saura gré.",
    split: "Poids des variations",
    splitHint: "En pour cent. Une variation à 0 n’est pas servie.",
    weightOf: (arm) => `${arm}, en pour cent`,
    equal: "Répartir à égalité",
    sum: (percent) => `${percent} au total`,
    who: "Trafic",
    coverage: "Part du trafic, en pour cent",
    coverageHint:
      "Commencez petit si une variation risque de nuire. La part peut grandir ensuite\u202f; personne ne change de variation.",
    unit: "Affecter selon",
    unitHint:
      "L’attribut qui distingue les personnes. La même valeur reçoit toujours la même variation.",
    fallbackUnit: "Attribut de repli",
    fallbackHint: "Pour qu’un candidat garde sa variation en devenant livreur.",
    none: "aucun",
    sticky: "Garder les personnes dans leur variation",
    stickyHint: "Même si les poids ou les critères changent. Coûte un peu de mémoire par personne.",
    layer: "Couche",
    layerHint:
      "Les expériences d’une même couche n’ont personne en commun et ne peuvent donc pas se gêner.",
    noLayer: "Aucune",
    newLayer: "Une nouvelle couche…",
    layerName: "Nom de la couche",
    from: "De, en pour cent",
    to: "À, en pour cent",
    place: "Parmi les règles du flag",
    places: { last: "Après les autres", first: "Avant les autres" },
    placeHint:
      "La première règle qui convient décide. Les critères d’entrée se modifient dans le flag.",
    phase: "Commencer une nouvelle phase avec cette modification",
    phaseHint:
      "Les poids ou l’unité changent. Dans une même phase, anciennes et nouvelles proportions se mélangeraient.",
    sampleSize: "Taille d’échantillon et durée",
    effect: "Plus petit effet qui vaut la peine, en pour cent",
    effectHint:
      "De la valeur de la métrique d’objectif\u202f: avec 10\u202f%, 14,0\u202f% deviendrait 12,6\u202f% ou 15,4\u202f%. Un effet plus petit demande bien plus de personnes.",
    rate: "Valeur attendue sans le changement, en pour cent",
    rateHint: "Personne n’a encore transmis cette métrique\u202f: dites ce que vous attendez.",
    noEffect:
      "Saisissez le plus petit effet qui vaut la peine pour voir combien de personnes il faut. Avec 0, rien n’est planifié.",
    sizeUnknown:
      "Choisissez un flag, une métrique d’objectif et des poids pour voir combien de personnes il faut.",
    noValues: (metric) =>
      `Rien pour planifier\u202f: aucune valeur de ${metric} ces 28 derniers jours.`,
    needed: (people) => `Environ ${people} personnes, toutes variations confondues.`,
    days: plural("fr", { one: "Environ # jour.", other: "Environ # jours." }),
    tooFew:
      "Trop peu de personnes viennent pour cela\u202f: choisissez un effet plus grand ou plus de trafic.",
    traffic: (people, unit) =>
      `${people} personnes ont été vues ces 28 derniers jours, distinguées selon ${unit}\u202f: dans des expériences et des groupes exclus, ou avec une valeur.`,
    baseline: (metric, value) => `${metric} chez ces personnes\u202f: ${value}.`,
    power: (effect) =>
      `Avec autant de personnes, un changement de ${effect} est trouvé dans quatre tests sur cinq. Les résultats peuvent être lus chaque jour, et peuvent conclure plus tôt. Au moins une semaine, car les jours de la semaine diffèrent.`,
    comparisons: (count) =>
      `Corrigé pour ${count} variations comparées à la référence (Bonferroni).`,
    happens: "Ce qui va se passer",
    reaches: (flag) => `Quiconque atteint cette règle de ${flag} peut participer.`,
    when: (condition) => `Son critère\u202f: ${condition}.`,
    part: (percent) => `${percent} de ces personnes participent.`,
    partOfLayer: (percent, layer) =>
      `${percent} de ces personnes participent, prises dans la couche ${layer}.`,
    others: (fallback) =>
      `Pour toutes les autres, les règles suivantes décident, et enfin ${fallback}.`,
    drawn: (unit) =>
      `Affectation selon ${unit}\u202f: la même valeur reçoit toujours la même variation.`,
    stays: "Une fois qu’une personne a une variation, elle la garde.",
    counted: (metric, direction) =>
      `Jugée d’après ${metric}, comptée dès la première participation de chaque personne. ${direction}.`,
    guarded: (metrics) => `Ne doivent pas se dégrader\u202f: ${metrics}.`,
    notCounted:
      "Aucune métrique d’objectif n’est choisie\u202f: la participation est comptée, et rien de ce qui la suit.",
    heldOut: (holdouts) => `Laissés de côté avant elle\u202f: les exclus de ${holdouts}.`,
    review: "Relire la modification",
    start: "Relire et démarrer",
    plan: "Relire et enregistrer comme brouillon",
    faults: {
      flag: "Choisissez un flag.",
      key: "Donnez-lui un nom.",
      keyTaken: "Une expérience porte déjà ce nom.",
      keyForm:
        "Lettres minuscules, chiffres, points, tirets et tirets bas uniquement\u202f; d’abord une lettre ou un chiffre, 100 au plus.",
      arms: "Deux variations au moins doivent avoir une part.",
      sum: "Le total des parts doit être de 100\u202f%.",
      coverage: "Plus de 0, et 100 au plus.",
      slot: "Du plus petit au plus grand, entre 0 et 100.",
      slotTaken: "Une autre expérience de la couche en occupe une partie.",
      effect: "0 ou plus. Avec 0, aucune taille d’échantillon n’est planifiée.",
    },
  },
};
