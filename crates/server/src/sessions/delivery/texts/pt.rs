// Generated from pt.arb by tools/texts. Do not edit.
use super::Texts;

pub const TEXTS: Texts = Texts {
    tag: "pt",
    subject: "{code} é seu código de acesso",
    body: "Seu código é {code}\n\nEle funciona uma única vez e por 10 minutos. Ninguém da nossa equipe vai pedir esse código a você.\nSe você não pediu um código, pode ignorar esta mensagem.\n",
    test_subject: "Mensagem de teste",
    test_body: "Este é um teste. Os códigos de uso único chegam por este meio.\n",
    asked_subject: "À espera da sua aprovação: {name}",
    asked_body: "{name} está à espera da sua aprovação.\n\n{url}\n\nRecebe esta mensagem porque pode aprovar.\n",
    returned_subject: "Devolvido: {name}",
    returned_body: "{name} foi devolvido com um comentário.\n\n{url}\n",
    scheduled_subject: "Publicado: {name}",
    scheduled_body: "{name} foi publicado no seu mercado. Você pode ler o texto e as diferenças em relação à versão anterior aqui:\n\n{url}\n\nVocê recebe esta mensagem porque representa os entregadores.\n",
    link_subject: "Seu link de acesso",
    link_body: "Um administrador criou um link de acesso para você.\n\n{url}\n\nEle funciona uma única vez, por 72 horas, e permite escolher uma senha. Não o encaminhe.\nSe você não esperava esta mensagem, avise seu administrador.\n",
    contact_subject: "Os seus dados de contacto foram alterados",
    contact_body: "O endereço de e-mail ou o número de telefone da sua conta foi alterado e a sessão foi terminada em todos os dispositivos.\n\nSe não pediu esta alteração, avise de imediato a sua empresa.\n",
    unsubscribe_title: "Cancelar a subscrição de e-mails",
    unsubscribe_text: "Não receberá mais e-mails sobre termos facultativos. Continuará a receber as informações obrigatórias.",
    unsubscribe_action: "Cancelar a subscrição",
    unsubscribed: "A subscrição foi cancelada.",
};
