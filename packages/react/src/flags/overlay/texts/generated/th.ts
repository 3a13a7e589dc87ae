// Generated from th.arb by tools/texts. Do not edit.
import type { Texts } from "./texts";

const numbers = new Intl.NumberFormat("th");

/** The words of th.arb. */
export const texts: Texts = {
  lang: "th",
  dir: "ltr",
  title: "แฟล็ก",
  open: "แสดงแฟล็ก",
  close: "ปิด",
  search: "ค้นหาแฟล็ก",
  nobody: "ยังไม่ได้ระบุผู้ใช้",
  person: "บุคคล",
  version: "เวอร์ชัน",
  none: "ไม่มีแฟล็กที่นี่",
  why: "เหตุผล",
  state: "สถานะ",
  status: {
    fresh: "ล่าสุด",
    cached: "จากแคช",
    fallback: "ไม่มีคำตอบ แสดงค่าสำรอง",
  },
  stored: "บันทึกเมื่อ",
  reads: "ขึ้นอยู่กับ",
  here: "บนอุปกรณ์นี้",
  asDecided: "ตามที่ตัดสิน",
  apply: "ตั้งค่า",
  reset: "รีเซ็ต",
  resetAll: "รีเซ็ตทั้งหมด",
  changed: (n: number) => `แก้ไขที่นี่ ${numbers.format(n)} รายการ`,
  noJson: "นี่ไม่ใช่ข้อมูล JSON",
  experiments: "การทดลอง",
  holdouts: "กลุ่มที่กันไว้",
  phase: "ระยะ",
  group: {
    HELD_OUT: "ถูกกันไว้",
    COMPARISON: "กลุ่มเปรียบเทียบ",
    GENERAL: "ไม่ถูกกันไว้",
  },
};
