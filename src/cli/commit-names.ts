import type { Database } from '../database/open-database.ts'
import { openAbbreviation } from '../git/abbreviate.ts'
import { openRefNames } from '../git/describe-refs.ts'
import type { Repository } from '../git/open-repository.ts'
import { readRefs } from '../git/read-refs.ts'
import type { CommitNames } from './describe-commit.ts'
import type { Io } from './io.ts'
import { stylesFor } from './output/styles.ts'

/** What the commits of a repository are shown with. */
export const namesOf = (
  { name, objects }: Repository,
  database: Database,
  { stdout, env }: Io,
): CommitNames => ({
  abbreviate: openAbbreviation(objects),
  refsOf: openRefNames(objects, readRefs(database, name)),
  styles: stylesFor(stdout, env),
  columns: stdout.isTTY ? stdout.columns : undefined,
})
