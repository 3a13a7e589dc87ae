use super::CodeDelivery;

#[test]
fn accepts_only_channels_that_keep_a_code_secret() {
    for text in [
        "log",
        "smtp://localhost:25",
        "smtps://user:secret@mail.larkspur.example",
        "https://sms.larkspur.example/send",
        "http://127.0.0.1:9000/codes",
        "http://localhost:9000/codes",
    ] {
        assert!(CodeDelivery::parse(text).is_ok(), "{text}");
    }
    for text in ["", "mail", "http://sms.larkspur.example/send", "ftp://a/", "https://", "http:"] {
        assert!(CodeDelivery::parse(text).is_err(), "{text}");
    }
}
