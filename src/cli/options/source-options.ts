import type { SourceOptions } from '../../sources/source-options.ts'

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
} as const

/** Converts them to those of the library; undefined without any. */
export function sourceOptionsOf(typed: {
  'repo-name'?: string | undefined
  'host-url'?: string | undefined
  visibility?: 'public' | 'private' | undefined
}): SourceOptions | undefined {
  const { 'repo-name': repoName, 'host-url': hostUrl, visibility } = typed
  const isAny = [repoName, hostUrl, visibility].some((value) => value !== undefined)
  return isAny ? { repoName, hostUrl: hostUrl?.replace(/\/$/, ''), visibility } : undefined
}
