import { FORMS, type SourceOptions } from '../../sources/source-options.ts'
import { type Command, flagsOf, type Option, placesOf } from './command.ts'

const group = 'Backups and exports of other programs:'

/** The options of commands that read backups and exports of other programs, where these do not say something. */
export const FOREIGN_OPTIONS = {
  'repo-name': {
    type: 'string',
    value: '<owner/name>',
    group,
    describe: 'Name of the repository, where the source does not say [as found]',
  },
  'host-url': {
    type: 'string',
    value: '<url>',
    group,
    coerce: (url: string) => url.replace(/\/$/, ''),
    describe: 'Host that addresses begin with [as found]',
  },
  visibility: {
    choices: ['public', 'private'],
    group,
    describe: 'Who may see it, where the source does not say [private]',
  },
  numbers: {
    choices: ['issues', 'merge-requests'],
    group,
    describe: 'Which keep their numbers, if both are counted from 1 [issues]',
  },
  texts: {
    choices: ['github', 'as-is'],
    group,
    describe: 'Whether references in texts become those of GitHub [github]',
  },
  'repo-git': {
    type: 'string',
    value: '<folder>',
    group,
    describe: 'Clone, bare or not, to be the Git data of the one repository [none]',
  },
  'source-form': {
    choices: FORMS,
    group,
    describe: 'Take the source for this form [as recognized]',
  },
} as const

/** The same of a command that writes an archive. */
export const BARE_OPTION = {
  type: 'boolean',
  group,
  describe: 'Leave out members, kinds and events that archives of the host do not have',
} as const

/** The options of a command, with those of sources that it takes without showing them in its help. */
export function acceptedFlags(command: Pick<Command, 'usage' | 'options'>): [string, Option][] {
  const own = flagsOf(command)
  if (!placesOf(command.usage).some(({ name }) => command.options[name]?.foreign)) return own
  return [...new Map<string, Option>([...Object.entries(FOREIGN_OPTIONS), ...own])]
}

const BY_NAME: Readonly<Record<string, Option>> = { ...FOREIGN_OPTIONS, bare: BARE_OPTION }

/** The options of sources among those that were typed, as the library has them; undefined without any. */
export function sourceOptionsOf(
  typed: Readonly<Record<string, unknown>>,
  command: Pick<Command, 'usage' | 'options'>,
): SourceOptions | undefined {
  const ours = acceptedFlags(command).filter(([name, option]) => BY_NAME[name] === option)
  const given = ours.filter(([name]) => typed[name] !== undefined)
  if (given.length === 0) return undefined
  return Object.fromEntries(given.map(([name]) => [NAMES[name] ?? name, typed[name]]))
}

/** The option that has this name in the library, for messages. */
export const typedName = (name: string): string =>
  Object.entries(NAMES).find(([, inLibrary]) => inLibrary === name)?.[0] ?? name

/** Names of the library that differ. */
const NAMES: Readonly<Record<string, keyof SourceOptions>> = {
  'repo-name': 'repoName',
  'host-url': 'hostUrl',
  'repo-git': 'repoGit',
  'source-form': 'form',
}
