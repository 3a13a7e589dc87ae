// Generated from pl.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "pl",
    subject: "{code} to Twój kod logowania",
    body: "Twój kod to {code}\n\nDziała tylko raz i przez 10 minut. Nikt od nas nigdy Cię o niego nie poprosi.\nJeśli to nie Ty prosisz o kod, możesz zignorować tę wiadomość.\n",
    test_subject: "Wiadomość testowa",
    test_body: "To jest test. Tą drogą docierają kody jednorazowe.\n",
};
