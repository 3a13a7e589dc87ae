// Generated from th.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "th",
    subject: "{code} คือรหัสเข้าสู่ระบบของคุณ",
    body: "รหัสของคุณคือ {code}\n\nใช้ได้ครั้งเดียวภายใน 10 นาที ทีมงานของเราจะไม่ขอรหัสนี้จากคุณเด็ดขาด\nหากคุณไม่ได้ขอรหัส โปรดละเว้นข้อความนี้\n",
    test_subject: "ข้อความทดสอบ",
    test_body: "นี่คือการทดสอบ รหัสใช้ครั้งเดียวจะส่งถึงผู้รับด้วยวิธีนี้\n",
};
