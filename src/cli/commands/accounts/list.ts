import { readAccountsFile } from '../../../http/access/accounts-file.ts'
import { defineCommand } from '../../command/command.ts'
import { FORMAT_OPTIONS, writeRows } from '../../options/format-options.ts'
import { FILE_ARGUMENT } from './change-accounts.ts'

const COLUMNS = ['kind', 'login', 'details', 'token']

export const list = defineCommand({
  usage: '<file>',
  options: { file: FILE_ARGUMENT, ...FORMAT_OPTIONS },
  examples: [
    ['marc accounts list accounts.json', 'never a hash or a secret'],
    ['marc accounts list accounts.json --csv', 'the same as CSV'],
  ],
  async run({ file, ...format }, io) {
    const { accounts = [], organizations = [], tokens = [] } = readAccountsFile(file)
    const rows = [
      ...accounts.map(({ login, password, two_factor, emails = [], site_admin }) => [
        'account',
        login,
        joined([
          ...emails,
          password !== undefined && 'password',
          two_factor && `one-time passwords by ${two_factor.delivery}`,
          site_admin === true && 'site admin',
        ]),
        null,
      ]),
      ...organizations.map(({ login, sso, members = [] }) => [
        'organization',
        login,
        joined([
          sso === true && 'single sign-on',
          ...members.map((member) => `${member.login}:${member.role}`),
        ]),
        null,
      ]),
      ...tokens.map(({ login, scopes = [], note, client_id, sso = [], expires_at, last_eight }) => [
        'token',
        login,
        joined([
          note ?? false,
          scopes.length > 0 && `scopes ${scopes.join(' ')}`,
          client_id != null && `issued to ${client_id}`,
          sso.length > 0 && `authorized for ${sso.join(' ')}`,
          expires_at != null && `until ${expires_at}`,
        ]),
        last_eight ?? null,
      ]),
    ]
    await writeRows({ columns: COLUMNS, rows: rows.values() }, format, io)
    return 0
  },
})

const joined = (parts: readonly (string | false | undefined)[]): string =>
  parts.filter((part) => part !== false && part !== undefined).join(', ')
