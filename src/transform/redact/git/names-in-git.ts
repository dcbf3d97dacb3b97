import { ArchiveError } from '../../../base/errors.ts'
import type { Database } from '../../../database/open-database.ts'
import { visitHistory } from '../../../git/rewrite/visit-history.ts'
import { wordsOf } from '../find-names.ts'
import { repositoriesOf } from './repositories-of.ts'

/** The address of a program, whose name is often that of a product: GitHub Actions. */
const PROGRAM = /\[bot\]@/

/**
 * The full names of people in the commits and tags of all repositories, whether or not they have a record. Repositories that
 * are damaged or were not stored have none.
 */
export async function namesInGit(database: Database): Promise<string[]> {
  const names = new Set<string>()
  for (const repository of repositoriesOf(database)) {
    try {
      await visitHistory(database, repository, {
        personOf(person) {
          const { name, email } = person
          if (wordsOf(name).length > 1 && !PROGRAM.test(email)) names.add(name)
          return person
        },
      })
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error
    }
  }
  return [...names]
}
