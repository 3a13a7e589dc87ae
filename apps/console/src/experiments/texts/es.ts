import { plural } from "../../language/plural";
import type { ExperimentsTexts } from "./texts";

export const es: ExperimentsTexts = {
  title: "Experimentos",
  intro: "Qué variación de una flag da mejor resultado, averiguado con personas que no lo saben.",
  create: "Nuevo experimento",
  find: "Buscar por nombre, flag o responsable",
  status: "Estado",
  anyStatus: "Todos",
  statuses: {
    running: "En curso",
    draft: "Borrador",
    stopped: "Detenido",
    shipped: "Lanzado",
  },
  key: "Experimento",
  flag: "Flag",
  arms: "Variaciones",
  people: "Personas hasta ahora",
  phase: (phase) => `Fase ${phase}`,
  flagOff: "La flag está desactivada",
  shown: (count) => `Experimentos mostrados: ${count}`,
  none: "Todavía no hay experimentos",
  noneHint:
    "Un experimento da a cada persona, al azar, una de las variaciones de una flag y cuenta qué resulta de ello. Tome una flag con dos variaciones y diga cuántas personas participan y qué debe mejorar.",
  nothing: "No hay ningún experimento así.",
  nothingHint: "Otra palabra u otro estado puede encontrarlo.",
  clear: "Limpiar",
  unknown: "Aquí no existe este experimento",
  unknownText: "Puede ser de otro entorno, o se eliminó su flag.",
  gone: "Este experimento ya no está en las flags. Lo que mostró se conserva.",
  all: "Todos los experimentos",
  edit: "Editar",
  hypothesis: "Hipótesis",
  hypothesisNone: "No hay ninguna hipótesis escrita.",
  shipped: (winner) => `Ahora todos reciben ${winner}. Ya no se cuenta a nadie.`,
  stopped: "Detenido: ahora no hay nadie en él y no se cuenta a nadie. Lo que se vio se conserva.",
  draft: "Borrador: nadie participa hasta que se inicie.",
  flagIsOff: (flag) =>
    `La flag ${flag} está desactivada, así que nadie encuentra ninguna variación.`,
  actions: {
    start: "Iniciar",
    startAgain: "Iniciar de nuevo",
    stop: "Detener",
    stopText: (fallback) =>
      `A partir de entonces nadie recibe una variación suya: deciden las reglas de abajo y, por último, ${fallback}.`,
    ship: "Lanzar una ganadora",
    shipText:
      "Todos los que cumplen la regla reciben la ganadora. Quien está en un holdout sigue en él.",
    winner: "Ganadora",
    better: "mejor",
    notShown: "sin demostrar que sea mejor",
    notShownText:
      "Los resultados no muestran que esta sea mejor. Láncela solo por otro buen motivo y dígalo en el comentario.",
    unreadable: {
      weights_changed:
        "No lance a partir de estos resultados: los pesos cambiaron dentro de esta fase. Comience una fase nueva.",
      sample_ratio_mismatch:
        "No lance a partir de estos resultados: las personas no llegaron en la proporción de los pesos, así que ninguna variación ha demostrado ser mejor. Encuentre la causa y comience una fase nueva.",
      multiple_exposures:
        "No lance a partir de estos resultados: demasiadas personas encontraron más de una variación, así que ninguna variación ha demostrado ser mejor. Encuentre la causa y comience una fase nueva.",
    },
    phase: "Nueva fase",
    phaseText:
      "El recuento empieza de nuevo: las fases anteriores se pueden seguir leyendo. Hágalo después de que hayan cambiado los pesos o lo que hace una variación.",
    same: "Mantener a todos en su variación",
    sameText: "Para un cambio que nadie notaría.",
    redrawn: "Volver a asignar a todos",
    redrawnText: "Para que lo que las personas conocían de antes no sesgue la fase nueva.",
    next: "Continuar",
    saved: (version) => `Guardado como versión ${version}.`,
  },
  decisions: {
    title: "Decisiones",
    hint: "Cada una se guarda con lo que decían los resultados en ese momento y nunca se cambia.",
    none: "Todavía no se ha decidido nada. Lanzar y detener quedan registrados con su comentario.",
    record: "Registrar la decisión de continuar",
    recordHint:
      "Nada cambia. Queda constancia de que alguien leyó los resultados y decidió seguir.",
    reason: "Por qué",
    save: "Registrar",
    kinds: { ship: "Lanzado", stop: "Detenido", continue: "Continuado" },
    shipped: (variation) => `Lanzada: ${variation}`,
    by: (who, when) => `${who}, ${when}`,
    somebody: "una persona borrada",
    shown: "Qué decían los resultados",
    notRecorded: "Guardado, pero no se ha podido registrar la decisión: regístrela abajo.",
  },
  setUp: {
    newTitle: "Nuevo experimento",
    newIntro: "No ocurre nada hasta que haya visto el cambio y lo haya guardado.",
    editTitle: (key) => `Editar ${key}`,
    what: "Flag e hipótesis",
    flagHint: "Una con al menos dos variaciones.",
    keyField: "Nombre del experimento",
    keyHint: "Los eventos lo llevan, y no cambia. Letras, dígitos, puntos, guiones.",
    hypothesisHint: "Qué espera y por qué. Quien lea los resultados lo agradecerá.",
    split: "Pesos de las variaciones",
    splitHint: "En porcentaje. Una variación con 0 no se sirve.",
    weightOf: (arm) => `${arm}, en porcentaje`,
    equal: "Igualar",
    sum: (percent) => `${percent} en total`,
    who: "Tráfico",
    coverage: "Asignación de tráfico, en porcentaje",
    coverageHint:
      "Empiece con poco si una variación puede causar daño. Más adelante se puede añadir más; nadie cambia de variación.",
    unit: "Asignar por",
    unitHint:
      "El atributo que distingue a las personas. El mismo valor recibe siempre la misma variación.",
    fallbackUnit: "Atributo de reserva",
    fallbackHint: "Para que un candidato conserve la variación al convertirse en repartidor.",
    none: "nada",
    sticky: "Mantener a las personas en su variación",
    stickyHint:
      "También cuando cambian los pesos o las condiciones. Cuesta un poco de memoria por persona.",
    layer: "Capa",
    layerHint:
      "Los experimentos de una capa no comparten a ninguna persona, para que no se interfieran.",
    noLayer: "Ninguna",
    newLayer: "Una capa nueva…",
    layerName: "Nombre de la capa",
    from: "Desde, en porcentaje",
    to: "Hasta, en porcentaje",
    place: "Entre las reglas de la flag",
    places: { last: "Después de las demás", first: "Antes de las demás" },
    placeHint:
      "Decide la primera regla que se cumple. Quién entra y con qué condición se edita en la flag.",
    phase: "Comenzar una fase nueva con este cambio",
    phaseHint:
      "Cambian los pesos o la unidad. En una sola fase se mezclarían las proporciones antiguas y las nuevas.",
    sampleSize: "Tamaño de la muestra y duración",
    effect: "Menor efecto que vale la pena, en porcentaje",
    effectHint:
      "Del valor de la métrica objetivo: con un 10\u00a0%, un 14,0\u00a0% pasaría a un 12,6\u00a0% o un 15,4\u00a0%. Un efecto menor exige muchas más personas.",
    rate: "Valor esperado sin el cambio, en porcentaje",
    rateHint: "Nadie ha comunicado esta métrica todavía, así que indique qué espera.",
    noEffect:
      "Indique el menor efecto que vale la pena para ver cuántas personas hacen falta. Con 0 no se planifica nada.",
    sizeUnknown:
      "Elija una flag, una métrica objetivo y pesos para ver cuántas personas hacen falta.",
    noValues: (metric) =>
      `No hay base para planificar: ningún valor de ${metric} en los últimos 28 días.`,
    needed: (people) => `Unas ${people} personas en todas las variaciones.`,
    days: plural("es", {
      one: "Aproximadamente # día.",
      many: "Aproximadamente # de días.",
      other: "Aproximadamente # días.",
    }),
    tooFew: "Llegan muy pocas personas para eso: elija un efecto mayor o más tráfico.",
    traffic: (people, unit) =>
      `Se vio a ${people} personas en los últimos 28 días, distinguidas por ${unit}: en experimentos y holdouts, o con un valor.`,
    baseline: (metric, value) => `${metric} entre ellas: ${value}.`,
    power: (effect) =>
      `Con tantas, un cambio del ${effect} se detecta en cuatro de cada cinco pruebas. Los resultados se pueden leer a diario y pueden ser claros antes. Al menos una semana, porque los días de la semana son distintos.`,
    comparisons: (count) =>
      `Corregido por ${count} variaciones que se comparan con la referencia (Bonferroni).`,
    happens: "Qué ocurrirá",
    reaches: (flag) => `Quien llega a esta regla de ${flag} puede participar.`,
    when: (condition) => `Su condición: ${condition}.`,
    part: (percent) => `El ${percent} de esas personas participa.`,
    partOfLayer: (percent, layer) =>
      `El ${percent} de esas personas participa, dentro de la capa ${layer}.`,
    others: (fallback) =>
      `Para todas las demás deciden las reglas de abajo y, por último, ${fallback}.`,
    drawn: (unit) => `Asignación por ${unit}: el mismo valor recibe siempre la misma variación.`,
    stays: "Quien ya tiene una variación la conserva.",
    counted: (metric, direction) =>
      `Se evalúa con ${metric}, contada desde la primera participación de cada persona. ${direction}.`,
    guarded: (metrics) => `No deben empeorar: ${metrics}.`,
    notCounted:
      "No se ha elegido ninguna métrica objetivo: se cuenta la participación y nada de lo que viene después.",
    heldOut: (holdouts) => `Antes quedan fuera las personas de estos holdouts: ${holdouts}.`,
    review: "Revisar el cambio",
    start: "Revisar e iniciar",
    plan: "Revisar y guardar como borrador",
    faults: {
      flag: "Elija una flag.",
      key: "Póngale un nombre.",
      keyTaken: "Ya existe un experimento con este nombre.",
      keyForm:
        "Solo letras minúsculas, dígitos, puntos, guiones y guiones bajos; primero una letra o un dígito, y 100 como máximo.",
      arms: "Al menos dos variaciones necesitan una proporción.",
      sum: "Las proporciones deben sumar el 100\u00a0%.",
      coverage: "Más de 0 y como máximo 100.",
      slot: "De menor a mayor, entre 0 y 100.",
      slotTaken: "Otro experimento de la capa tiene una parte de esto.",
      effect: "0 o más. Con 0 no se planifica ningún tamaño de muestra.",
    },
  },
};
