import { pathOf } from '../../archive/entry-role.ts'

/** The path in the archive of a repository, or of a file in it. */
export const gitPath = (repository: string, path?: string): string =>
  path === undefined
    ? pathOf({ role: 'git', repository, path: '' }).slice(0, -1)
    : pathOf({ role: 'git', repository, path })
