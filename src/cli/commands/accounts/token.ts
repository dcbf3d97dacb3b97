import { randomBytes } from 'node:crypto'
import { formatTime } from '../../../base/format-time.ts'
import { lastEightOf, sha256Of } from '../../../http/access/accounts.ts'
import { isScope, SCOPES } from '../../../http/access/scopes.ts'
import { defineCommand } from '../../command/command.ts'
import { didYouMean } from '../../command/did-you-mean.ts'
import { UsageError } from '../../command/usage-error.ts'
import { readSecret } from '../../options/ask-secret.ts'
import { parseDate } from '../../options/parse-date.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { writeResult } from '../../output/write-all.ts'
import { accountOf, FILE_ARGUMENT, itemsOf, openContent, saveContent } from './change-accounts.ts'

export const token = defineCommand({
  usage: '<file> <login>',
  options: {
    file: FILE_ARGUMENT,
    login: { type: 'string', demandOption: true, describe: 'Login; a new account is added' },
    scopes: {
      type: 'string',
      value: '<a,b>',
      describe: 'Scopes of the token: repo for private repositories, admin:org to import [none]',
    },
    note: { type: 'string', value: '<text>', describe: 'Purpose of the token, for lists' },
    application: {
      type: 'string',
      value: '<client_id>',
      describe: 'Application of the file that the token is issued to',
    },
    sso: {
      type: 'string',
      array: true,
      value: '<organization>',
      describe: 'Organization that the token is authorized for; repeatable',
    },
    expires: {
      type: 'string',
      value: '<date>',
      describe: 'Date on which the token expires [never]',
    },
    'token-stdin': {
      type: 'boolean',
      describe: 'Read the token from standard input instead of creating one',
    },
    json: { type: 'boolean', describe: 'Print the result and errors as JSON' },
  },
  notes: `A running server reads the file again at a signal: kill -HUP <process>`,
  examples: [
    ['marc accounts token accounts.json ada --scopes repo', 'ada sees private repositories'],
    ['marc accounts token accounts.json ada --note laptop', 'public repositories only'],
  ],
  async run({ file, login, scopes, note, application, sso, expires, json, ...typed }, io) {
    const granted = itemsOf(scopes)
    const unknown = granted.find((scope) => !isScope(scope))
    if (unknown !== undefined) {
      const hint = didYouMean(unknown, SCOPES) ?? `Known are: ${SCOPES.join(', ')}`
      throw new UsageError(`there is no scope ${JSON.stringify(unknown)}`, hint)
    }
    const content = openContent(file)
    const known = typed['token-stdin'] ? await readSecret('--token-stdin', io) : undefined
    if (known !== undefined && !/^[\x21-\x7e]{8,255}$/.test(known)) {
      throw new UsageError('a token has 8 to 255 printable ASCII characters')
    }
    const text = known ?? randomBytes(20).toString('hex')
    const until = expires === undefined ? undefined : parseDate('expires', expires)
    content.tokens.push({
      login: accountOf(content, login).login,
      sha256: sha256Of(text),
      last_eight: lastEightOf(text),
      scopes: granted,
      note: note ?? null,
      client_id: application ?? null,
      sso: sso ?? [],
      expires_at: until ? formatTime(until) : null,
    })
    await saveContent(file, content)
    const token = known === undefined ? text : null
    const shown = escapeControls(token ?? `The token ending in ${lastEightOf(text)} is in ${file}.`)
    await writeResult(json, { file, login, token, last_eight: lastEightOf(text) }, shown, io)
    return 0
  },
})
