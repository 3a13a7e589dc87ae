import { plural } from "../../language/plural";
import type { PeopleTexts } from "./texts";

export const es: PeopleTexts = {
  title: "Personas",
  intro: "Consulte a alguien: qué aceptó, dónde tiene la sesión iniciada, qué ve.",
  search: "Buscar a una persona",
  searchHint: "ID, nombre, correo o teléfono",
  role: "Rol",
  anyRole: "Todos los roles",
  person: "Persona",
  reach: "Correo y teléfono",
  since: "Desde",
  shown: (people) => `Personas mostradas: ${people}`,
  nobody: "No coincide nadie.",
  nobodyHint: (typed) =>
    `Ningún ID, correo o teléfono empieza por «${typed}», y ningún nombre lo contiene. A quien se borró ya no se le encuentra.`,
  noOne: "Todavía no hay nadie.",
  noOneHint:
    "Las personas llegan con el primer inicio de sesión en su aplicación, por importación o a mano.",
  roles: { rider: "Repartidor", worker: "Trabajador local" },
  roleHints: {
    rider: "Se le pide aceptar y trabaja por turnos",
    worker: "Trabaja en el local",
  },
  rolesTitle: "Roles",
  add: "Añadir una persona",
  added: (userId) => `Persona añadida: ${userId}`,
  show: "Mostrar la persona",
  done: "Listo",
  keptDraft: "Lo que había escrito antes sigue aquí.",
  startOver: "Empezar de nuevo",
  userId: "ID de usuario",
  userIdHint: "Como la llaman sus propios sistemas. Queda para siempre.",
  name: "Nombre",
  email: "Correo electrónico",
  phone: "Teléfono",
  phoneHint: "Con el país, como +44 7700 900123",
  faults: {
    userId: "Un ID de usuario tiene de 1 a 128 caracteres y no es . ni ..",
    email: "Esto no es una dirección de correo.",
    phone: "Esto no es un número de teléfono.",
  },
  importing: {
    title: "Importar personas",
    action: "Importar…",
    columns: "Un archivo CSV con encabezado y cualquiera de las columnas",
    rules:
      "Las filas con un ID conocido cambian a esa persona; una columna que falta no cambia nada, una celda vacía borra. Varios roles se separan con espacios. Se toman todas las filas o ninguna.",
    drop: "Suelte aquí un archivo CSV",
    choose: "Elegir un archivo",
    would: (added, changed, same) =>
      `Se añadirían ${added}, se cambiarían ${changed}, y ${same} quedarían como están.`,
    run: "Importar",
    done: (added, changed) => `Importado: ${added} añadidas, ${changed} cambiadas.`,
    badRows: plural("es", {
      one: "# fila es incorrecta. No se ha cambiado nada.",
      other: "# filas son incorrectas. No se ha cambiado nada.",
    }),
    more: (count) => `Y ${count} más.`,
  },
  newLink: "Crear un enlace de acceso",
  newLinkHint:
    "Para alguien que ya no puede entrar. El enlace funciona una vez; la contraseña anterior vale hasta que se use.",
  linkHint:
    "Entregue este enlace por una vía segura. Solo se muestra esta vez y funciona una vez: quien lo abre fija la contraseña.",
  linkSent: "El enlace se ha enviado al correo electrónico de esta persona.",
  linkNotSent: "El mensaje con el enlace no se ha entregado. Cree otro enlace.",
  linkUntil: (instant) => `Hasta: ${instant}`,
  copyLink: "Copiar el enlace",
};
