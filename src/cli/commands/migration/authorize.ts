import { hostname } from 'node:os'
import { ArchiveError } from '../../../base/errors.ts'
import { asBytes } from '../../../base/streams.ts'
import { checkAuthorizes, createToken } from '../../../client/authorize.ts'
import { isThere, writeFile } from '../../../files/write-file.ts'
import { defineCommand } from '../../command/command.ts'
import { safe } from '../../command/safe-text.ts'
import { AdvisedError, UsageError } from '../../command/usage-error.ts'
import { askSecret } from '../../options/ask-secret.ts'
import { clientOf, SERVER_OPTIONS } from '../../options/client-options.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { writeResult } from '../../output/write-all.ts'

const BY_HAND =
  'Open https://github.com/settings/tokens, make a token with the scope repo, and put it into a file for --token-file.'

export const authorize = defineCommand({
  usage: '',
  options: {
    user: { value: '<login>', describe: 'Login of the account' },
    ...SERVER_OPTIONS,
    'token-file': {
      value: '<file>',
      group: 'The server:',
      describe: 'New file for the token, which only its owner can read [standard output]',
    },
    json: { type: 'boolean', describe: 'Print the result, and errors, as JSON' },
  },
  exits: [4],
  examples: [
    ['marc migration authorize --user ada', 'prints the token, this one time'],
    ['marc migration authorize --user ada --token-file token', 'for --token-file elsewhere'],
  ],
  async run({ user, 'token-file': file, json, ...typed }, io) {
    const client = clientOf(typed, io)
    try {
      checkAuthorizes(client)
    } catch (error) {
      const isRefused = error instanceof ArchiveError && error.code === 'request-refused'
      throw isRefused ? new AdvisedError(error, BY_HAND) : error
    }
    if (user === undefined) throw new UsageError('--user is missing')
    if (file !== undefined && isThere(file)) {
      throw new ArchiveError('output-exists', 'there is a file with this name', { archive: file })
    }
    const password = await askSecret(safe`Password: `, 'a terminal', io)
    const { token: _, organization: __, ...options } = client
    const note = `marc on ${hostname()} ${new Date().toISOString().slice(0, 19)}`
    const token = await createToken(user, password, { ...options, note })
    if (file === undefined) {
      await writeResult(json, { token }, escapeControls(token), io)
      return 0
    }
    await writeFile(file, asBytes([Buffer.from(`${token}\n`)]), { mode: 0o600 })
    await writeResult(json, { file }, safe`The token is in ${escapeControls(file)}.`, io)
    return 0
  },
})
