import type { OrganizationEntry } from '../../../http/access/accounts-file.ts'
import { defineCommand } from '../../command/command.ts'
import { safe } from '../../command/safe-text.ts'
import { UsageError } from '../../command/usage-error.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { writeResult } from '../../output/write-all.ts'
import { FILE_ARGUMENT, idOf, openContent, saveContent, withLogin } from './change-accounts.ts'

type Member = NonNullable<OrganizationEntry['members']>[number]

export const organization = defineCommand({
  usage: '<file> <login>',
  options: {
    file: FILE_ARGUMENT,
    login: { type: 'string', demandOption: true, describe: 'Login, as in the archive' },
    sso: { type: 'boolean', describe: 'Tokens need an authorization for this organization' },
    member: {
      type: 'string',
      array: true,
      value: '<login:role>',
      describe:
        'A member in addition to those of the archive, login:member or login:admin; repeatable',
    },
    id: { type: 'string', value: '<n>', describe: 'Id of the organization [that of the archive]' },
    json: { type: 'boolean', describe: 'Print the result and errors as JSON' },
  },
  examples: [
    ['marc accounts organization accounts.json harbour-lights --sso', 'with single sign-on'],
    [
      'marc accounts organization accounts.json harbour-lights --member ada:admin',
      'ada administers it',
    ],
  ],
  async run({ file, login, sso, member = [], id, json }, io) {
    const content = openContent(file)
    const given = member.map(memberOf)
    const entry = withLogin(content.organizations, login) ?? { login }
    if (!content.organizations.includes(entry)) content.organizations.push(entry)
    const others = (entry.members ?? []).filter((one) => !withLogin(given, one.login))
    const members = [...others, ...given]
    Object.assign(entry, {
      ...idOf(id),
      ...(sso !== undefined && { sso }),
      ...(members.length > 0 && { members }),
    })
    await saveContent(file, content)
    const shown = safe`${escapeControls(login)} is in ${escapeControls(file)}.`
    await writeResult(json, { file, login }, shown, io)
    return 0
  },
})

function memberOf(text: string): Member {
  const [, login, role = 'member'] = /^([^:]+)(?::(admin|member))?$/.exec(text) ?? []
  if (login !== undefined) return { login, role: role as Member['role'] }
  const found = JSON.stringify(text)
  throw new UsageError(`--member takes login:member or login:admin, not ${found}`)
}
