//! Writes a day in the language of a text, as the Unicode CLDR's long form does.

use jiff::civil::Date;

/// The months of a language, and how they are combined with day and year.
struct Months {
    language: &'static str,
    names: [&'static str; 12],
    form: fn(day: i8, month: &str, year: i16) -> String,
}

fn plain(day: i8, month: &str, year: i16) -> String {
    format!("{day} {month} {year}")
}

fn with_of(day: i8, month: &str, year: i16) -> String {
    format!("{day} de {month} de {year}")
}

fn with_dot(day: i8, month: &str, year: i16) -> String {
    format!("{day}. {month} {year}")
}

/// French writes the first day of a month as an ordinal number.
fn french(day: i8, month: &str, year: i16) -> String {
    let ordinal = if day == 1 { "er" } else { "" };
    format!("{day}{ordinal} {month} {year}")
}

/// Thai years count from the Buddhist era.
fn thai(day: i8, month: &str, year: i16) -> String {
    format!("{day} {month} {}", i32::from(year) + 543)
}

fn bengali(day: i8, month: &str, year: i16) -> String {
    let digit = |c: char| match c.to_digit(10) {
        Some(digit) => char::from_u32(0x9e6 + digit).unwrap_or(c),
        None => c,
    };
    format!("{day} {month}, {year}").chars().map(digit).collect()
}

fn urdu(day: i8, month: &str, year: i16) -> String {
    format!("{day} {month}، {year}")
}

const MONTHS: [Months; 12] = [
    Months {
        language: "en",
        names: [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ],
        form: plain,
    },
    Months {
        language: "de",
        names: [
            "Januar",
            "Februar",
            "März",
            "April",
            "Mai",
            "Juni",
            "Juli",
            "August",
            "September",
            "Oktober",
            "November",
            "Dezember",
        ],
        form: with_dot,
    },
    Months {
        language: "es",
        names: [
            "enero",
            "febrero",
            "marzo",
            "abril",
            "mayo",
            "junio",
            "julio",
            "agosto",
            "septiembre",
            "octubre",
            "noviembre",
            "diciembre",
        ],
        form: with_of,
    },
    Months {
        language: "fr",
        names: [
            "janvier",
            "février",
            "mars",
            "avril",
            "mai",
            "juin",
            "juillet",
            "août",
            "septembre",
            "octobre",
            "novembre",
            "décembre",
        ],
        form: french,
    },
    Months {
        language: "it",
        names: [
            "gennaio",
            "febbraio",
            "marzo",
            "aprile",
            "maggio",
            "giugno",
            "luglio",
            "agosto",
            "settembre",
            "ottobre",
            "novembre",
            "dicembre",
        ],
        form: plain,
    },
    Months {
        language: "pt",
        names: [
            "janeiro",
            "fevereiro",
            "março",
            "abril",
            "maio",
            "junho",
            "julho",
            "agosto",
            "setembro",
            "outubro",
            "novembro",
            "dezembro",
        ],
        form: with_of,
    },
    Months {
        language: "pl",
        names: [
            "stycznia",
            "lutego",
            "marca",
            "kwietnia",
            "maja",
            "czerwca",
            "lipca",
            "sierpnia",
            "września",
            "października",
            "listopada",
            "grudnia",
        ],
        form: plain,
    },
    Months {
        language: "tr",
        names: [
            "Ocak", "Şubat", "Mart", "Nisan", "Mayıs", "Haziran", "Temmuz", "Ağustos", "Eylül",
            "Ekim", "Kasım", "Aralık",
        ],
        form: plain,
    },
    Months {
        language: "ar",
        names: [
            "يناير",
            "فبراير",
            "مارس",
            "أبريل",
            "مايو",
            "يونيو",
            "يوليو",
            "أغسطس",
            "سبتمبر",
            "أكتوبر",
            "نوفمبر",
            "ديسمبر",
        ],
        form: plain,
    },
    Months {
        language: "th",
        names: [
            "มกราคม",
            "กุมภาพันธ์",
            "มีนาคม",
            "เมษายน",
            "พฤษภาคม",
            "มิถุนายน",
            "กรกฎาคม",
            "สิงหาคม",
            "กันยายน",
            "ตุลาคม",
            "พฤศจิกายน",
            "ธันวาคม",
        ],
        form: thai,
    },
    Months {
        language: "bn",
        names: [
            "জানুয়ারি",
            "ফেব্রুয়ারি",
            "মার্চ",
            "এপ্রিল",
            "মে",
            "জুন",
            "জুলাই",
            "আগস্ট",
            "সেপ্টেম্বর",
            "অক্টোবর",
            "নভেম্বর",
            "ডিসেম্বর",
        ],
        form: bengali,
    },
    Months {
        language: "ur",
        names: [
            "جنوری",
            "فروری",
            "مارچ",
            "اپریل",
            "مئی",
            "جون",
            "جولائی",
            "اگست",
            "ستمبر",
            "اکتوبر",
            "نومبر",
            "دسمبر",
        ],
        form: urdu,
    },
];

/// Writes a day with its month and year. Languages without month names here get the form of ISO
/// 8601.
pub fn written(date: Date, locale: &str) -> String {
    let language = locale.split('-').next().unwrap_or_default().to_ascii_lowercase();
    let months = MONTHS.iter().find(|months| months.language == language);
    let month = usize::try_from(date.month() - 1).unwrap_or(0);
    match months {
        Some(months) => (months.form)(date.day(), months.names[month % 12], date.year()),
        None => date.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::written;

    #[test]
    fn writes_the_day_in_twelve_languages() {
        for (locale, text) in [
            ("en", "1 February 2027"),
            ("en-US", "1 February 2027"),
            ("de-AT", "1. Februar 2027"),
            ("es", "1 de febrero de 2027"),
            ("fr", "1er février 2027"),
            ("it", "1 febbraio 2027"),
            ("pt-BR", "1 de fevereiro de 2027"),
            ("pl", "1 lutego 2027"),
            ("tr", "1 Şubat 2027"),
            ("ar", "1 فبراير 2027"),
            ("th", "1 กุมภาพันธ์ 2570"),
            ("bn", "১ ফেব্রুয়ারি, ২০২৭"),
            ("ur", "1 فروری، 2027"),
            ("nl", "2027-02-01"),
        ] {
            assert_eq!(written(date(2027, 2, 1), locale), text, "{locale}");
        }
    }
}
