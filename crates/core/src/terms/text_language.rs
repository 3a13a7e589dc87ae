//! The language in which a text is written: by its script, and for languages that share a script by
//! their most frequent words. Used to warn of a document that was uploaded for another language, so
//! an uncertain text has no detected language.
//!
//! Not here: languages that the product is not translated into. Of those only the script is
//! detected.

/// Fewer words decide nothing: a title page has names, not sentences.
const WORDS_MIN: usize = 30;
/// The words that are counted. The language of a document is clear long before its end.
const WORDS_MAX: usize = 20_000;
/// The share of frequent words below which a text is a list or a table: 8 in 100.
const FREQUENT_PERCENT_MIN: usize = 8;
/// A text in two languages has about as many words of each, so the first must lead clearly.
const LEAD_PERCENT_MIN: usize = 150;
/// The share of letters that the main script must have.
const SCRIPT_PERCENT_MIN: usize = 70;

/// A script with its ISO 15924 code.
struct Script {
    code: &'static str,
    ranges: &'static [(char, char)],
    /// The languages with their most frequent words, or the only language of the script.
    languages: &'static [(&'static str, &'static str)],
}

const SCRIPTS: [Script; 10] = [
    Script {
        code: "Latn",
        ranges: &[('a', 'z'), ('A', 'Z'), ('\u{c0}', '\u{24f}'), ('\u{1e00}', '\u{1eff}')],
        languages: &[
            ("en", "the of and to in is that for it with as be on by you are not this or your"),
            (
                "de",
                "der die und das den von zu mit sich des ist im nicht ein eine für auf sie dem wird oder werden",
            ),
            (
                "fr",
                "le la les et des est du une dans que pour qui vous sur pas ne au avec ce sont par vos nous",
            ),
            ("es", "el la los y del las que una por con para no su se es al lo como o en sus"),
            (
                "pt",
                "o e do da em um para com não uma os no se na por mais as dos como ao das ou você",
            ),
            (
                "it",
                "il di che e la per un non sono del con le si della è nel i alla gli dei una o al",
            ),
            ("pl", "w i na się z do nie że jest o to od za po jak przez dla oraz lub są przy"),
            (
                "tr",
                "ve bir bu için ile da de olarak daha ne gibi veya olan her kadar sonra değil en tarafından",
            ),
            (
                "nl",
                "de het een van en is dat niet op te zijn voor met die aan er ook als bij door of",
            ),
            ("ro", "și de în la cu pe din nu este pentru că sau care să se mai prin sunt al"),
        ],
    },
    Script {
        code: "Arab",
        ranges: &[('\u{620}', '\u{64a}'), ('\u{66e}', '\u{6d3}'), ('\u{6fa}', '\u{6ff}')],
        languages: &[
            ("ar", "في من على إلى أن التي الذي هذا هذه عن مع أو لا ما كل بعد قبل إذا لم لن هو هي"),
            ("ur", "کے میں ہے کی سے اور کا کو نہیں یہ آپ ہیں پر نے کر ہو اس ایک یا کہ"),
            ("fa", "و در به از که این را با است برای آن یک تا هم شما یا بر خود"),
        ],
    },
    Script { code: "Beng", ranges: &[('\u{980}', '\u{9ff}')], languages: &[("bn", "")] },
    Script { code: "Thai", ranges: &[('\u{e01}', '\u{e4e}')], languages: &[("th", "")] },
    Script { code: "Cyrl", ranges: &[('\u{400}', '\u{52f}')], languages: &[] },
    Script { code: "Grek", ranges: &[('\u{370}', '\u{3ff}')], languages: &[("el", "")] },
    Script { code: "Hebr", ranges: &[('\u{5d0}', '\u{5ea}')], languages: &[("he", "")] },
    Script { code: "Deva", ranges: &[('\u{900}', '\u{97f}')], languages: &[] },
    Script {
        code: "Hani",
        ranges: &[('\u{3040}', '\u{30ff}'), ('\u{4e00}', '\u{9fff}')],
        languages: &[],
    },
    Script { code: "Hang", ranges: &[('\u{ac00}', '\u{d7af}')], languages: &[("ko", "")] },
];

/// The scripts of languages without a word list. A language that is missing here is never compared.
const SCRIPTS_OF_LANGUAGES: [(&str, &str); 6] = [
    ("Cyrl", "ru uk bg be mk kk ky mn tg"),
    ("Deva", "hi mr ne"),
    ("Hani", "zh ja"),
    ("Arab", "ps ckb sd ug"),
    ("Latn", "sv da nb nn no fi et lv lt cs sk hu hr sl sq ca eu gl id ms vi sw so fil"),
    ("Hebr", "yi"),
];

/// Returns the language of a text as a BCP 47 tag. `und-` and a script stand for a language of
/// which only the script is known. `None` if the text is too short, mixed or uncertain.
pub fn detect_language(text: &str) -> Option<String> {
    let words: Vec<String> = text
        .split(|letter: char| !is_letter(letter))
        .filter(|word| !word.is_empty())
        .take(WORDS_MAX)
        .map(str::to_lowercase)
        .collect();
    let script = main_script(&words)?;
    let has_spaces = !matches!(script.code, "Thai" | "Hani");
    if has_spaces && words.len() < WORDS_MIN {
        return None;
    }
    let undetermined = || format!("und-{}", script.code);
    match script.languages {
        [] => Some(undetermined()),
        [(language, _)] => Some((*language).to_owned()),
        languages => {
            let language = most_frequent(&words, languages)?;
            // A contract with its translation after it is in neither language.
            let halves = <[&[String]; 2]>::from(words.split_at(words.len() / 2));
            let is_other = |half: &&[String]| {
                most_frequent(half, languages).is_some_and(|other| other != language)
            };
            (!halves.iter().any(is_other)).then(|| language.to_owned())
        }
    }
}

/// Whether a text of the detected language cannot be in the language of `locale`. False if the
/// detection does not know that language.
pub fn is_other_language(locale: &str, detected: &str) -> bool {
    let mut parts = locale.split('-');
    let language = parts.next().unwrap_or_default().to_ascii_lowercase();
    let script =
        parts.find(|part| part.len() == 4 && part.bytes().all(|b| b.is_ascii_alphabetic()));
    let listed =
        SCRIPTS.iter().find(|script| script.languages.iter().any(|(of, _)| *of == language));
    let usual = listed.map(|script| script.code).or_else(|| usual_script(&language));
    let detected_script = match detected.strip_prefix("und-") {
        Some(script) => Some(script),
        None => SCRIPTS
            .iter()
            .find(|script| script.languages.iter().any(|(of, _)| *of == detected))
            .map(|script| script.code),
    };
    // The Han variants of Chinese are one script here.
    let declared = match script.map(str::to_ascii_lowercase).as_deref() {
        Some("hans" | "hant" | "jpan") => Some("Hani"),
        Some(tag) => {
            SCRIPTS.iter().map(|script| script.code).find(|code| code.eq_ignore_ascii_case(tag))
        }
        None => usual,
    };
    match (declared, detected_script) {
        (Some(declared), Some(detected_script)) if declared != detected_script => true,
        (Some(declared), Some(_)) => {
            listed.is_some()
                && usual == Some(declared)
                && !detected.starts_with("und-")
                && language != detected
        }
        _ => false,
    }
}

/// Combining marks of Bengali, Thai and Devanagari are parts of words, and are not alphabetic.
fn is_letter(letter: char) -> bool {
    letter.is_alphabetic() || matches!(letter, '\u{900}'..='\u{9ff}' | '\u{e01}'..='\u{e4e}')
}

fn main_script(words: &[String]) -> Option<&'static Script> {
    let mut counts = [0_usize; SCRIPTS.len()];
    let mut all = 0;
    for letter in words.iter().flat_map(|word| word.chars()) {
        all += 1;
        let is_of = |script: &Script| {
            script.ranges.iter().any(|(first, last)| (*first..=*last).contains(&letter))
        };
        if let Some(index) = SCRIPTS.iter().position(is_of) {
            counts[index] += 1;
        }
    }
    let (index, count) = counts.into_iter().enumerate().max_by_key(|(_, count)| *count)?;
    let is_main = count >= WORDS_MIN && count * 100 >= all * SCRIPT_PERCENT_MIN;
    is_main.then(|| &SCRIPTS[index])
}

fn most_frequent(
    words: &[String],
    languages: &[(&'static str, &'static str)],
) -> Option<&'static str> {
    let mut counts: Vec<(usize, &'static str)> = languages
        .iter()
        .map(|(language, frequent)| {
            let is_frequent = |word: &&String| frequent.split(' ').any(|other| other == *word);
            (words.iter().filter(is_frequent).count(), *language)
        })
        .collect();
    counts.sort_unstable();
    let (count, language) = counts.pop()?;
    let (second, _) = counts.pop()?;
    let is_certain = count * 100 >= words.len() * FREQUENT_PERCENT_MIN
        && count * 100 >= second * LEAD_PERCENT_MIN;
    is_certain.then_some(language)
}

fn usual_script(language: &str) -> Option<&'static str> {
    let is_of = |(_, languages): &&(&str, &str)| languages.split(' ').any(|of| of == language);
    SCRIPTS_OF_LANGUAGES.iter().find(is_of).map(|(script, _)| *script)
}

#[cfg(test)]
mod tests {
    use super::{detect_language, is_other_language};

    const SAMPLES: [(&str, &str); 14] = [
        (
            "en",
            "This agreement is between you and the company. You are a freelance rider and decide when you work and which orders you accept. The company pays you for each delivery by the tenth of the month. You can end this agreement at any time.",
        ),
        (
            "de",
            "Dieser Vertrag besteht zwischen dir und dem Unternehmen. Du bist freier Mitarbeiter und entscheidest, wann du arbeitest und welche Aufträge du annimmst. Das Unternehmen bezahlt jede Lieferung bis zum zehnten Tag des Monats. Der Vertrag kann von beiden Seiten mit einer Frist von einer Woche beendet werden.",
        ),
        (
            "fr",
            "Ce contrat est conclu entre vous et la société. Vous êtes un livreur indépendant et vous décidez des heures de travail et des commandes que vous acceptez. La société paie chaque livraison avant le dix du mois. Vous pouvez mettre fin à ce contrat dans un délai d'une semaine.",
        ),
        (
            "es",
            "Este contrato se celebra entre usted y la empresa. Usted es un repartidor autónomo y decide cuándo trabaja y qué pedidos acepta. La empresa paga cada entrega antes del día diez del mes. Puede terminar el contrato con un aviso de una semana por escrito.",
        ),
        (
            "pt",
            "Este contrato é celebrado entre você e a empresa. Você é um entregador autônomo e decide quando trabalha e quais pedidos aceita. A empresa paga cada entrega até o dia dez do mês. O contrato pode ser encerrado por uma das partes com um aviso de uma semana, e não há multa.",
        ),
        (
            "it",
            "Il presente contratto è stipulato tra il collaboratore e la società. Il collaboratore decide quando lavorare e quali ordini accettare. La società paga ogni consegna entro il dieci del mese. Il contratto può essere risolto da una delle parti con un preavviso di una settimana e non sono previste penali per il recesso.",
        ),
        (
            "pl",
            "Niniejsza umowa jest zawarta między tobą i firmą. Kurier decyduje o tym, kiedy pracuje i które zamówienia przyjmuje. Firma płaci za każdą dostawę do dziesiątego dnia miesiąca. Umowę można rozwiązać w każdym czasie z zachowaniem terminu tygodnia, a wypowiedzenie nie wymaga uzasadnienia i jest ważne od dnia otrzymania.",
        ),
        (
            "tr",
            "Bu sözleşme sizinle şirket arasında yapılır. Kurye ne zaman çalışacağına ve hangi siparişleri kabul edeceğine kendisi karar verir. Şirket her teslimat için ayın onuna kadar ödeme yapar. Taraflar bu sözleşmeyi bir hafta önceden yazılı olarak bildirerek sona erdirebilir ve bunun için bir neden göstermek gerekli değildir.",
        ),
        (
            "ar",
            "هذا العقد بين الشركة والسائق الذي يعمل لحسابه الخاص. يقرر السائق متى يعمل وما هي الطلبات التي يقبلها. تدفع الشركة عن كل عملية توصيل قبل اليوم العاشر من الشهر. يمكن إنهاء هذا العقد في أي وقت بعد إخطار مدته أسبوع ولا يلزم أن يذكر السبب من أي طرف إلى الآخر.",
        ),
        (
            "ur",
            "یہ معاہدہ آپ اور کمپنی کے درمیان ہے۔ آپ آزاد رائیڈر ہیں اور خود طے کرتے ہیں کہ کب کام کرنا ہے اور کون سے آرڈر لینے ہیں۔ کمپنی ہر ڈیلیوری کی رقم مہینے کی دس تاریخ تک ادا کرتی ہے۔ یہ معاہدہ ایک ہفتے کے نوٹس پر ختم کیا جا سکتا ہے۔",
        ),
        (
            "bn",
            "এই চুক্তি আপনার এবং কোম্পানির মধ্যে করা হয়েছে। আপনি একজন স্বাধীন রাইডার এবং কখন কাজ করবেন ও কোন অর্ডার নেবেন তা নিজে ঠিক করেন। কোম্পানি প্রতিটি ডেলিভারির জন্য মাসের দশ তারিখের মধ্যে টাকা দেয়। এক সপ্তাহের নোটিশ দিয়ে এই চুক্তি শেষ করা যায় এবং কোনো কারণ বলতে হয় না।",
        ),
        (
            "th",
            "สัญญานี้ทำขึ้นระหว่างคุณกับบริษัท คุณเป็นผู้ขับขี่อิสระและตัดสินใจเองว่าจะทำงานเมื่อใดและรับคำสั่งซื้อใด บริษัทจ่ายค่าจัดส่งแต่ละครั้งภายในวันที่สิบของเดือน",
        ),
        (
            "und-Cyrl",
            "Этот договор заключён между вами и компанией. Вы сами решаете, когда работать и какие заказы принимать. Компания платит за каждую доставку до десятого числа месяца. Договор можно расторгнуть в любое время, предупредив другую сторону за одну неделю, и причину указывать не нужно.",
        ),
        (
            "nl",
            "Deze overeenkomst is gesloten tussen de bezorger en het bedrijf. De bezorger bepaalt zelf wanneer hij werkt en welke bestellingen hij aanneemt. Het bedrijf betaalt elke bezorging voor de tiende van de maand. De overeenkomst kan door een van de partijen met een termijn van een week worden beëindigd.",
        ),
    ];

    #[test]
    fn detects_the_language_of_a_contract() {
        for (tag, text) in SAMPLES {
            assert_eq!(detect_language(text).as_deref(), Some(tag), "{text}");
        }
    }

    #[test]
    fn detects_nothing_in_a_short_or_mixed_text() {
        let [(_, english), (_, german), ..] = SAMPLES;
        assert_eq!(detect_language(""), None);
        assert_eq!(detect_language("The terms of the company and the rider"), None);
        assert_eq!(detect_language(&format!("{english} {german}")), None);
        let table = "Anna Berlin Brno Cork Dublin 12.50 ".repeat(20);
        assert_eq!(detect_language(&table), None);
    }

    #[test]
    fn compares_a_language_tag_with_the_detected_language() {
        let other = [
            ("de", "en"),
            ("pt-BR", "es"),
            ("ar", "ur"),
            ("en", "und-Cyrl"),
            ("ru", "en"),
            ("sv", "th"),
            ("zh-Hant", "en"),
        ];
        for (locale, detected) in other {
            assert!(is_other_language(locale, detected), "{locale} {detected}");
        }
        let same_or_unknown = [
            ("de", "de"),
            ("de-AT", "de"),
            ("pt-BR", "pt"),
            ("ru", "und-Cyrl"),
            ("sv", "en"),
            ("zh-Hant", "und-Hani"),
            ("ur-Latn", "en"),
            ("tlh", "en"),
            ("sr", "und-Cyrl"),
        ];
        for (locale, detected) in same_or_unknown {
            assert!(!is_other_language(locale, detected), "{locale} {detected}");
        }
    }
}
