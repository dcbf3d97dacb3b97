import type { Database } from '../../database/open-database.ts'
import type { Repository } from '../../git/open-repository.ts'
import { readRefs } from '../../git/refs/read-refs.ts'
import { createAbbreviator, createRefNames } from '../../git/refs/resolve-revision.ts'
import type { Io } from '../command/io.ts'
import { stylesFor } from '../output/styles.ts'
import type { CommitNames } from './describe-commit.ts'

/** What the commits of a repository are shown with. */
export const namesOf = (
  { name, objects }: Repository,
  database: Database,
  { stdout, env }: Io,
): CommitNames => ({
  abbreviate: createAbbreviator(objects),
  refsOf: createRefNames(objects, readRefs(database, name)),
  styles: stylesFor(stdout, env),
  columns: stdout.isTTY ? stdout.columns : undefined,
})
