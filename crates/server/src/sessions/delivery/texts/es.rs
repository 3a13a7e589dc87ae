// Generated from es.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "es",
    subject: "{code} es tu código de acceso",
    body: "Tu código es {code}\n\nSirve una sola vez y durante 10 minutos. Nadie de nuestro equipo te lo pedirá nunca.\nSi no has pedido ningún código, puedes ignorar este mensaje.\n",
    test_subject: "Mensaje de prueba",
    test_body: "Esto es una prueba. Los códigos de un solo uso llegan por esta vía.\n",
    asked_subject: "Pendiente de tu aprobación: {name}",
    asked_body: "{name} está pendiente de tu aprobación.\n\n{url}\n\nRecibes este mensaje porque puedes aprobarlo.\n",
    returned_subject: "Devuelto: {name}",
    returned_body: "Te han devuelto {name} con un comentario.\n\n{url}\n",
    scheduled_subject: "Publicado: {name}",
    scheduled_body: "{name} se ha publicado en su mercado. Aquí puede leerlo y ver las diferencias con la versión anterior:\n\n{url}\n\nRecibe este mensaje porque representa a los repartidores.\n",
    link_subject: "Tu enlace de acceso",
    link_body: "Un administrador ha creado un enlace de acceso para ti.\n\n{url}\n\nFunciona una sola vez y durante 72 horas, y te permite elegir una contraseña. No lo reenvíes.\nSi no esperabas este mensaje, avisa a tu administrador.\n",
    contact_subject: "Se han cambiado tus datos de contacto",
    contact_body: "Se ha cambiado el correo electrónico o el número de teléfono de tu cuenta, y se ha cerrado la sesión en todos los dispositivos.\n\nSi no lo has pedido, avisa a tu empresa de inmediato.\n",
    unsubscribe_title: "Darse de baja de los correos",
    unsubscribe_text: "No recibirás más correos sobre condiciones opcionales. Seguirás recibiendo lo que se te debe comunicar.",
    unsubscribe_action: "Darse de baja",
    unsubscribed: "Te has dado de baja.",
};
