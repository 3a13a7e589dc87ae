import { plural } from "../../language/plural";
import type { PeopleTexts } from "./texts";

export const pt: PeopleTexts = {
  title: "Pessoas",
  intro: "Consulte alguém: o que aceitou, onde está conectado, o que vê.",
  search: "Consultar uma pessoa",
  searchHint: "ID, nome, e-mail ou telefone",
  role: "Papel",
  anyRole: "Todos os papéis",
  person: "Pessoa",
  reach: "E-mail e telefone",
  since: "Desde",
  shown: (people) => `Pessoas mostradas: ${people}`,
  nobody: "Ninguém corresponde.",
  nobodyHint: (typed) =>
    `Nenhum ID, e-mail ou telefone começa com “${typed}”, e nenhum nome contém isso. Quem foi apagado não é mais encontrado.`,
  noOne: "Ainda não há ninguém.",
  noOneHint: "As pessoas chegam com o primeiro login no seu aplicativo, por importação ou à mão.",
  roles: { rider: "Entregador", worker: "Funcionário local" },
  roleHints: {
    rider: "É convidado a aceitar e trabalha em turnos",
    worker: "Trabalha no local",
  },
  rolesTitle: "Papéis",
  add: "Adicionar uma pessoa",
  added: (userId) => `Pessoa adicionada: ${userId}`,
  show: "Mostrar a pessoa",
  done: "Pronto",
  keptDraft: "O que você tinha digitado antes continua aqui.",
  startOver: "Começar de novo",
  userId: "ID de usuário",
  userIdHint: "Como os seus próprios sistemas o chamam. Não muda mais.",
  name: "Nome",
  email: "E-mail",
  phone: "Telefone",
  phoneHint: "Com o país, como +44 7700 900123",
  faults: {
    userId: "Um ID de usuário tem de 1 a 128 caracteres e não é . nem ..",
    email: "Isto não é um e-mail.",
    phone: "Isto não é um número de telefone.",
  },
  importing: {
    title: "Importar pessoas",
    action: "Importar…",
    columns: "Um arquivo CSV com cabeçalho e qualquer uma das colunas",
    rules:
      "Linhas com um ID conhecido alteram essa pessoa; uma coluna ausente não muda nada, uma célula vazia limpa. Vários papéis são separados por espaços. Ou entram todas as linhas, ou nenhuma.",
    drop: "Solte um arquivo CSV aqui",
    choose: "Escolher um arquivo",
    would: (added, changed, same) =>
      `Seriam adicionadas: ${added}; alteradas: ${changed}; ficam como estão: ${same}.`,
    run: "Importar",
    done: (added, changed) => `Importação feita. Adicionadas: ${added}; alteradas: ${changed}.`,
    badRows: plural("pt", {
      one: "# linha está errada. Nada foi alterado.",
      many: "# de linhas estão erradas. Nada foi alterado.",
      other: "# linhas estão erradas. Nada foi alterado.",
    }),
    more: (count) => `E mais ${count}.`,
  },
  newLink: "Criar um link de acesso",
  newLinkHint:
    "Para quem não consegue mais entrar. O link funciona uma única vez; a senha anterior vale até ele ser usado.",
  linkHint:
    "Entregue este link por um meio seguro. Ele só aparece desta vez e funciona uma única vez: quem o abre define a senha.",
  linkSent: "O link foi enviado para o e-mail desta pessoa.",
  linkNotSent: "A mensagem com o link não foi entregue. Crie outro link.",
  linkUntil: (instant) => `Até ${instant}`,
  copyLink: "Copiar o link",
};
