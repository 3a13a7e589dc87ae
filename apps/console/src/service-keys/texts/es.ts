import type { ServiceKeysTexts } from "./texts";

export const es: ServiceKeysTexts = {
  title: "Claves de servicio",
  intro:
    "Otros programas usan una clave de servicio para llamar a la API con los roles de la clave.",
  create: "Crear clave de servicio",
  name: "Nombre",
  nameHint: "El programa que la usará, como «Planificador de turnos».",
  roles: "Roles",
  expires: "Caduca",
  expiresHint: "Al final de ese día, en su zona horaria. Vacío: nunca.",
  noExpiry: "Nunca",
  lastUsed: "Último uso",
  never: "Nunca",
  state: "Estado",
  expired: "Caducada",
  revoked: "Revocada",
  revoke: "Revocar",
  revokeThis: (name) => `Revocar ${name}`,
  revokeAsk: (name) => `¿Revocar «${name}»?`,
  revokeHint:
    "Las solicitudes con esta clave se rechazan en menos de un segundo. Esto no se puede deshacer.",
  usedLast: (instant) => `Se usó por última vez el ${instant}.`,
  neverUsed: "No se ha usado nunca.",
  revokedNow: (name) => `«${name}» está revocada.`,
  none: "No hay claves de servicio",
  noneHint: "Cree una para cada programa, para poder revocar cada una por separado.",
  created: "La clave de servicio está creada",
  once: "Cópiela ahora y póngala donde la lee el programa. Solo se muestra esta vez: se guarda únicamente un hash.",
  copy: "Copiar clave",
  kept: "Listo",
};
