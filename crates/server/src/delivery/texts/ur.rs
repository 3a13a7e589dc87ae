// Generated from ur.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "ur",
    subject: "{code} آپ کا سائن ان کوڈ ہے",
    body: "آپ کا کوڈ {code} ہے\n\nیہ صرف ایک بار اور 10 منٹ تک کام کرتا ہے۔ ہماری طرف سے کوئی بھی آپ سے یہ کوڈ کبھی نہیں مانگے گا۔\nاگر آپ نے کوڈ نہیں مانگا تو اس پیغام کو نظر انداز کر دیں۔\n",
    test_subject: "آزمائشی پیغام",
    test_body: "یہ ایک آزمائش ہے۔ ایک بار استعمال ہونے والے کوڈ اسی طرح پہنچتے ہیں۔\n",
};
