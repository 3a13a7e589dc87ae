import { plural } from "../../language/plural";
import type { PeopleTexts } from "./texts";

export const es: PeopleTexts = {
  title: "Personas",
  intro: "Busque a una persona y consulte sus decisiones, sesiones y flags.",
  search: "Buscar personas",
  searchHint: "ID, nombre, dirección de correo o número de teléfono",
  role: "Rol",
  anyRole: "Todos los roles",
  person: "Persona",
  reach: "Contacto",
  since: "Añadida",
  shown: (people) => `Personas mostradas: ${people}`,
  nobody: "No se han encontrado personas",
  nobodyHint: (typed) =>
    `Ningún ID, dirección de correo o número de teléfono empieza por «${typed}», y ningún nombre lo contiene. Las personas borradas no aparecen.`,
  noOne: "Todavía no hay personas",
  noOneHint: "Las personas se añaden en su primer inicio de sesión, por importación o aquí.",
  roles: { rider: "Repartidor", worker: "Trabajador local" },
  roleHints: {
    rider: "Trabaja por turnos y debe aceptar los documentos obligatorios",
    worker: "Trabaja en el local",
  },
  rolesTitle: "Roles",
  add: "Añadir persona",
  added: (userId) => `Persona añadida: ${userId}`,
  show: "Abrir persona",
  done: "Listo",
  keptDraft: "Se ha restaurado lo que escribió antes.",
  startOver: "Vaciar el formulario",
  userId: "ID de usuario",
  userIdHint: "El ID en sus propios sistemas. No se puede cambiar.",
  name: "Nombre",
  email: "Correo electrónico",
  phone: "Teléfono",
  phoneHint: "Incluya el prefijo del país, por ejemplo +34 600 000 000",
  errors: {
    userId: "Un ID de usuario tiene de 1 a 128 caracteres y no es . ni ..",
    email: "Introduzca una dirección de correo válida.",
    phone: "Introduzca un número de teléfono válido con el prefijo del país.",
  },
  importing: {
    title: "Importar personas",
    action: "Importar personas",
    columns: "Un archivo CSV con una fila de encabezado y cualquiera de estas columnas:",
    rules:
      "Una fila con un ID existente actualiza a esa persona. Una columna que falta no cambia nada. Una celda vacía borra el valor. Separe los roles con espacios. Si una fila tiene un error, no se importa nada.",
    drop: "Suelte aquí un archivo CSV",
    choose: "Elegir un archivo",
    would: (added, changed, same) =>
      `Personas para añadir: ${added}, para cambiar: ${changed}, sin cambios: ${same}`,
    run: "Importar",
    done: (added, changed) => `Importado: ${added} añadidas, ${changed} cambiadas.`,
    badRows: plural("es", {
      one: "# fila es incorrecta. No se ha cambiado nada.",
      other: "# filas son incorrectas. No se ha cambiado nada.",
    }),
    more: (count) => `Y ${count} más.`,
  },
  newLink: "Crear enlace de acceso",
  newLinkHint:
    "Para un usuario que no puede iniciar sesión. El enlace funciona una vez. La contraseña actual es válida hasta que se use el enlace.",
  linkHint:
    "Envíe este enlace al usuario por un canal seguro. Se muestra y funciona solo una vez. La persona que abre el enlace establece la contraseña.",
  linkSent: "El enlace se ha enviado al correo electrónico de esta persona.",
  linkNotSent: "El mensaje con el enlace no se ha entregado. Cree otro enlace.",
  linkUntil: (instant) => `Caduca: ${instant}`,
  copyLink: "Copiar el enlace",
};
