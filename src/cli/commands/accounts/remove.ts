import { foldLogin } from '../../../http/access/accounts-file.ts'
import { defineCommand } from '../../command/command.ts'
import { safe } from '../../command/safe-text.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { formatCount } from '../../output/quantities.ts'
import { writeResult } from '../../output/write-all.ts'
import { type Content, FILE_ARGUMENT, openContent, saveContent } from './change-accounts.ts'

export const remove = defineCommand({
  usage: '<file> <login>',
  options: {
    file: FILE_ARGUMENT,
    login: { type: 'string', demandOption: true, describe: 'Account or organization' },
    token: {
      type: 'string',
      value: '<last eight>',
      describe: 'Only the token of the account that ends like this; see marc accounts list',
    },
    json: { type: 'boolean', describe: 'Print the result and errors as JSON' },
  },
  examples: [
    ['marc accounts remove accounts.json bob', 'bob, his tokens and memberships'],
    ['marc accounts remove accounts.json ada --token 0123abcd', 'one token of ada'],
  ],
  async run({ file, login, token, json }, io) {
    const content = openContent(file)
    const is = (entry: { login: string }) => foldLogin(entry.login) === foldLogin(login)
    const tokens = content.tokens.filter(
      (one) => is(one) && (token === undefined || one.last_eight === token),
    )
    const left: Content = {
      ...content,
      tokens: content.tokens.filter((one) => !tokens.includes(one)),
      ...(token === undefined && {
        accounts: content.accounts.filter((one) => !is(one)),
        organizations: content.organizations
          .filter((one) => !is(one))
          .map(({ members, ...one }) =>
            members ? { ...one, members: members.filter((member) => !is(member)) } : one,
          ),
      }),
    }
    const count = (content: Content) => content.accounts.length + content.organizations.length
    const removed = count(content) - count(left)
    if (removed + tokens.length > 0) await saveContent(file, left)
    const what = tokens.length === 1 ? safe`token` : safe`tokens`
    const shown =
      removed + tokens.length > 0
        ? safe`Removed ${removed > 0 ? safe`${escapeControls(login)} and ` : safe``}${formatCount(tokens.length)} ${what}.`
        : safe`There is nothing to remove: ${escapeControls(login)} is not in ${escapeControls(file)}.`
    await writeResult(json, { file, login, removed, tokens: tokens.length }, shown, io)
    return 0
  },
})
