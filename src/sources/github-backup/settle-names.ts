import { basename, resolve } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { withoutEnding } from '../../files/safe-name.ts'
import { repositoryName } from '../file-name.ts'
import type { SourceOptions } from '../source-options.ts'
import type { Survey } from './survey.ts'

/** The host, if nothing says which one it is. */
const HOST = 'https://github.com'

/**
 * Gives each repository with records or Git data a name: that of the options, the one that its files tell, or a guess.
 *
 * @param path the path of the source
 * @returns the folders of those whose name is a guess
 * @throws `option-invalid` for a name that is that of none
 */
export function settleNames(
  { repositories }: Survey,
  { repoName, hostUrl }: SourceOptions,
  path: string,
): Set<string> {
  const filled = [...repositories].filter(([, { isFilled }]) => isFilled)
  const [named] = filled.flatMap(([, facts]) => (facts.isNamed ? [facts] : []))
  const guessed = new Set<string>()
  for (const [folder, facts] of filled) {
    if (facts.isNamed) continue
    const [, starred] = /(?:^|\/)starred\/([^/]+)\/[^/]+$/.exec(folder) ?? []
    const { owner = starred ?? 'owner', host = HOST } = starred
      ? { ...named, owner: starred }
      : (named ?? {})
    const name = repositoryName(basename(folder || withoutEnding(resolve(path))))
    Object.assign(facts, { host, owner, name, isNamed: true })
    if (starred === undefined) guessed.add(folder)
  }
  if (repoName !== undefined) {
    const [owner = '', name = ''] = repoName.split('/')
    const [found] =
      filled.length === 1
        ? filled
        : filled.filter(([folder]) => basename(folder).toLowerCase() === name.toLowerCase())
    if (found === undefined) {
      const message = `repoName ${repoName}: none of ${filled.length} repositories has a folder of this name`
      throw new ArchiveError('option-invalid', message, { archive: path })
    }
    Object.assign(found[1], { owner, name })
    guessed.delete(found[0])
  }
  if (hostUrl !== undefined) for (const [, facts] of filled) facts.host = hostUrl
  return guessed
}
