// Generated from es.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "es",
    subject: "{code} es tu código de acceso",
    body: "Tu código es {code}\n\nSirve una sola vez y durante 10 minutos. Nadie de nuestro equipo te lo pedirá nunca.\nSi no has pedido ningún código, puedes ignorar este mensaje.\n",
    test_subject: "Mensaje de prueba",
    test_body: "Esto es una prueba. Los códigos de un solo uso llegan por esta vía.\n",
};
