// Generated from tr.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "tr",
    subject: "{code} giriş kodunuz",
    body: "Kodunuz: {code}\n\nBir kez ve 10 dakika boyunca geçerlidir. Ekibimizden hiç kimse sizden bu kodu istemez.\nKod istemediyseniz bu iletiyi dikkate almayabilirsiniz.\n",
    test_subject: "Deneme iletisi",
    test_body: "Bu bir denemedir. Tek kullanımlık kodlar bu yolla ulaşır.\n",
    asked_subject: "Onayınızı bekliyor: {name}",
    asked_body: "{name} onayınızı bekliyor.\n\n{url}\n\nBu mesajı, onaylama yetkiniz olduğu için alıyorsunuz.\n",
    returned_subject: "Geri gönderildi: {name}",
    returned_body: "{name} bir yorumla size geri gönderildi.\n\n{url}\n",
    scheduled_subject: "Yayınlandı: {name}",
    scheduled_body: "{name} pazarınızda yayınlandı. Metni ve önceki sürümden farklarını buradan okuyabilirsiniz:\n\n{url}\n\nKuryeleri temsil ettiğiniz için bu mesajı alıyorsunuz.\n",
    link_subject: "Oturum açma bağlantınız",
    link_body: "Bir yönetici sizin için oturum açma bağlantısı oluşturdu.\n\n{url}\n\nBağlantı bir kez ve 72 saat boyunca geçerlidir; onunla bir parola belirlersiniz. Başkasına iletmeyin.\nBu mesajı beklemiyorsanız yöneticinize haber verin.\n",
    contact_subject: "İletişim bilgilerin değiştirildi",
    contact_body: "Hesabının e-posta adresi veya telefon numarası değiştirildi ve hesabın tüm cihazlarda oturumu kapatıldı.\n\nBunu sen istemediysen şirketine hemen haber ver.\n",
    unsubscribe_title: "E-posta aboneliğinden çık",
    unsubscribe_text: "İsteğe bağlı koşullarla ilgili artık e-posta almayacaksın. Bilmen gerekenleri almaya devam edeceksin.",
    unsubscribe_action: "Abonelikten çık",
    unsubscribed: "Abonelikten çıktın.",
};
