// Generated from ur.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "ur",
    subject: "{code} آپ کا سائن ان کوڈ ہے",
    body: "آپ کا کوڈ {code} ہے\n\nیہ صرف ایک بار اور 10 منٹ تک کام کرتا ہے۔ ہماری طرف سے کوئی بھی آپ سے یہ کوڈ کبھی نہیں مانگے گا۔\nاگر آپ نے کوڈ نہیں مانگا تو اس پیغام کو نظر انداز کر دیں۔\n",
    test_subject: "آزمائشی پیغام",
    test_body: "یہ ایک آزمائش ہے۔ ایک بار استعمال ہونے والے کوڈ اسی طرح پہنچتے ہیں۔\n",
    asked_subject: "آپ کی منظوری کا منتظر: {name}",
    asked_body: "{name} آپ کی منظوری کا منتظر ہے۔\n\n{url}\n\nآپ کو یہ پیغام اس لیے ملا ہے کہ آپ اسے منظور کر سکتے ہیں۔\n",
    returned_subject: "واپس بھیجا گیا: {name}",
    returned_body: "{name} ایک تبصرے کے ساتھ آپ کو واپس بھیجا گیا ہے۔\n\n{url}\n",
};
