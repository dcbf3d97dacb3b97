import { FORMS, type Form, type SourceOptions } from '../../sources/source-options.ts'

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

/** Converts them to those of the library; undefined without any. */
export function sourceOptionsOf(typed: {
  'repo-name'?: string | undefined
  'host-url'?: string | undefined
  visibility?: 'public' | 'private' | undefined
  numbers?: 'issues' | 'merge-requests' | undefined
  texts?: 'github' | 'as-is' | undefined
  'repo-git'?: string | undefined
  'source-form'?: Form | undefined
  bare?: boolean | undefined
}): SourceOptions | undefined {
  const { 'repo-name': repoName, 'host-url': hostUrl, visibility, numbers, texts, bare } = typed
  const options = {
    repoName,
    hostUrl: hostUrl?.replace(/\/$/, ''),
    visibility,
    numbers,
    texts,
    repoGit: typed['repo-git'],
    form: typed['source-form'],
    bare,
  }
  return Object.values(options).some((value) => value !== undefined) ? options : undefined
}
