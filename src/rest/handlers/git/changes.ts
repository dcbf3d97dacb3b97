import type { RawChange } from '../../../git/diff/pair-renames.ts'
import type { GitData } from '../../../git/open-git.ts'
import { compareFiles } from '../../../reading/git/changes.ts'
import type { IndexedRepository } from '../../../reading/repositories.ts'
import type { JsonObject } from '../../../records/json/json.ts'
import type { RequestContext } from '../../request-context.ts'
import { createFileDescriber } from '../../resources/changed-files.ts'
import { renderingOf } from '../find-in-path.ts'

/** Files that are described on one page, as on the host. */
const MOST_FILES = 300

/** Describes the first of these changed files. */
export async function describeChanges(
  context: RequestContext,
  repository: IndexedRepository,
  git: GitData,
  files: readonly RawChange[],
  head: string,
): Promise<JsonObject[]> {
  const describe = createFileDescriber(renderingOf(context), repository, git.objects)
  const described: JsonObject[] = []
  for await (const file of compareFiles(git, files.slice(0, MOST_FILES))) {
    described.push(describe(file, head))
  }
  return described
}
