// Generated from ar.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "ar",
    subject: "{code} هو رمز تسجيل الدخول",
    body: "رمزك هو {code}\n\nيصلح مرة واحدة ولمدة 10 دقائق. لن يطلبه منك أحد من فريقنا أبدًا.\nإذا لم تطلب رمزًا فتجاهل هذه الرسالة.\n",
    test_subject: "رسالة تجريبية",
    test_body: "هذه رسالة تجريبية. تصل رموز تسجيل الدخول بهذه الطريقة.\n",
    asked_subject: "بانتظار موافقتك: {name}",
    asked_body: "{name} بانتظار موافقتك.\n\n{url}\n\nوصلتك هذه الرسالة لأنه يمكنك الموافقة عليه.\n",
    returned_subject: "أُعيد إليك: {name}",
    returned_body: "أُعيد إليك {name} مع تعليق.\n\n{url}\n",
    link_subject: "رابط تسجيل الدخول الخاص بك",
    link_body: "أنشأ أحد المسؤولين رابط تسجيل دخول لك.\n\n{url}\n\nيعمل مرة واحدة ولمدة 72 ساعة، وبه تختار كلمة مرور. لا تُعِد توجيهه إلى أحد.\nإذا لم تكن تتوقع هذه الرسالة، فأخبر المسؤول.\n",
};
