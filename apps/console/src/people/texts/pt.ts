import { plural } from "../../language/plural";
import type { PeopleTexts } from "./texts";

export const pt: PeopleTexts = {
  title: "Pessoas",
  intro: "Encontre uma pessoa e veja suas decisões, sessões e flags.",
  search: "Pesquisar pessoas",
  searchHint: "ID, nome, endereço de e-mail ou número de telefone",
  role: "Papel",
  anyRole: "Todos os papéis",
  person: "Pessoa",
  reach: "Contato",
  since: "Adicionada",
  shown: (people) => `Pessoas mostradas: ${people}`,
  nobody: "Nenhuma pessoa encontrada",
  nobodyHint: (typed) =>
    `Nenhum ID, endereço de e-mail ou número de telefone começa com “${typed}”, e nenhum nome o contém. As pessoas apagadas não são listadas.`,
  noOne: "Nenhuma pessoa ainda",
  noOneHint: "As pessoas são adicionadas no primeiro login, por importação ou aqui.",
  roles: { rider: "Entregador", worker: "Funcionário local" },
  roleHints: {
    rider: "Trabalha em turnos e precisa aceitar os documentos obrigatórios",
    worker: "Trabalha no local",
  },
  rolesTitle: "Papéis",
  add: "Adicionar pessoa",
  added: (userId) => `Pessoa adicionada: ${userId}`,
  show: "Abrir pessoa",
  done: "Concluir",
  keptDraft: "O que você tinha digitado foi restaurado.",
  startOver: "Limpar formulário",
  userId: "ID de usuário",
  userIdHint: "O ID nos seus próprios sistemas. Não pode ser alterado.",
  name: "Nome",
  email: "E-mail",
  phone: "Telefone",
  phoneHint: "Inclua o código do país, como +55 11 91234 5678",
  errors: {
    userId: "Um ID de usuário tem de 1 a 128 caracteres e não é . nem ..",
    email: "Informe um endereço de e-mail válido.",
    phone: "Informe um número de telefone válido com o código do país.",
  },
  importing: {
    title: "Importar pessoas",
    action: "Importar pessoas",
    columns: "Um arquivo CSV com uma linha de cabeçalho e quaisquer destas colunas:",
    rules:
      "Uma linha com um ID existente atualiza essa pessoa. Uma coluna ausente não altera nada. Uma célula vazia limpa o valor. Separe os papéis com espaços. Se uma linha tiver um erro, nada é importado.",
    drop: "Solte um arquivo CSV aqui",
    choose: "Escolher um arquivo",
    would: (added, changed, same) =>
      `Pessoas a adicionar: ${added}, a alterar: ${changed}, sem alteração: ${same}`,
    run: "Importar",
    done: (added, changed) => `Importação feita. Adicionadas: ${added}; alteradas: ${changed}.`,
    badRows: plural("pt", {
      one: "# linha está errada. Nada foi alterado.",
      many: "# de linhas estão erradas. Nada foi alterado.",
      other: "# linhas estão erradas. Nada foi alterado.",
    }),
    more: (count) => `E mais ${count}.`,
  },
  newLink: "Criar link de acesso",
  newLinkHint:
    "Para um usuário que não consegue entrar. O link funciona uma vez. A senha atual vale até o link ser usado.",
  linkHint:
    "Envie este link ao usuário por um canal seguro. Ele é exibido e funciona apenas uma vez. A pessoa que abre o link define a senha.",
  linkSent: "O link foi enviado para o e-mail desta pessoa.",
  linkNotSent: "A mensagem com o link não foi entregue. Crie outro link.",
  linkUntil: (instant) => `Expira em ${instant}`,
  copyLink: "Copiar o link",
};
