import { hashPassword } from '../../../http/access/password-hash.ts'
import { createOtpSecret, otpAddress } from '../../../http/access/password-sign-in.ts'
import { defineCommand } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { safe } from '../../command/safe-text.ts'
import { UsageError } from '../../command/usage-error.ts'
import { askSecret, readSecret } from '../../options/ask-secret.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { writeResult } from '../../output/write-all.ts'
import { accountOf, FILE_ARGUMENT, idOf, openContent, saveContent } from './change-accounts.ts'

export const user = defineCommand({
  usage: '<file> <login>',
  options: {
    file: FILE_ARGUMENT,
    login: { type: 'string', demandOption: true, describe: 'Login, as in the archive' },
    password: { type: 'boolean', describe: 'Ask for a password, twice' },
    'password-stdin': { type: 'boolean', describe: 'Read a password from standard input' },
    otp: {
      choices: ['app', 'sms'],
      describe: 'Ask for one-time passwords; print the address that sets up an authenticator',
    },
    email: {
      type: 'string',
      array: true,
      value: '<address>',
      describe: 'Address, the primary one first; repeatable [those of the archive]',
    },
    id: { type: 'string', value: '<n>', describe: 'Id of the account [that of the archive]' },
    'site-admin': { type: 'boolean', describe: 'The account administers the site' },
    json: { type: 'boolean', describe: 'Print the result and errors as JSON' },
  },
  examples: [
    ['marc accounts user accounts.json ada', 'ada can have tokens'],
    ['marc accounts user accounts.json bob --otp app', 'bob needs an authenticator, too'],
  ],
  async run({ file, login, password, otp, email, id, json, ...typed }, io) {
    const content = openContent(file)
    const pinned = idOf(id)
    const hashed = await passwordOf(password, typed['password-stdin'], io)
    const secret = otp && createOtpSecret()
    Object.assign(accountOf(content, login), {
      ...pinned,
      ...(email && { emails: email }),
      ...(typed['site-admin'] !== undefined && { site_admin: typed['site-admin'] }),
      ...(hashed !== undefined && { password: hashed }),
      ...(secret && { two_factor: { delivery: otp === 'sms' ? 'SMS' : 'app', secret } }),
    })
    await saveContent(file, content)
    const address = secret && otpAddress(login, secret)
    const shown = address
      ? escapeControls(address)
      : safe`${escapeControls(login)} is in ${escapeControls(file)}.`
    await writeResult(json, { file, login, otp_address: address ?? null }, shown, io)
    return 0
  },
})

/** A new password, hashed; undefined if there is to be none. */
async function passwordOf(
  asks: boolean | undefined,
  reads: boolean | undefined,
  io: Io,
): Promise<string | undefined> {
  if (reads) return hashPassword(await readSecret('--password-stdin', io))
  if (!asks) return undefined
  const first = await askSecret(safe`Password: `, '--password-stdin', io)
  if (first === '') throw new UsageError('a password has at least one character')
  const second = await askSecret(safe`Password again: `, '--password-stdin', io)
  if (first !== second) throw new UsageError('the two passwords are not the same')
  return hashPassword(first)
}
