import type { FoundObject, Repository } from '../../git/open-repository.ts'
import { parseTag } from '../../git/parse/parse-commit.ts'
import type { Io } from '../command/io.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { safe } from '../output/safe-text.ts'
import { shownOnTerminal } from '../output/shown-on-terminal.ts'
import { writeAll } from '../output/write-all.ts'
import type { CommitNames } from './describe-commit.ts'
import { describeObject, describeTag } from './describe-object.ts'

// A tag of a tag of a tag: whoever goes on does so to no good end.
const MOST_TAGS = 10

/** Writes an object as a person reads it, a tag with what it is for, and the content of a file as it is. */
export async function showObject(
  object: FoundObject,
  repository: Repository,
  names: () => CommitNames,
  { firstParent, stdout }: { firstParent: boolean | undefined; stdout: Io['stdout'] },
): Promise<void> {
  const { objects } = repository
  let found = object
  for (let tags = 0; found.type === 'tag'; tags++) {
    const tag = parseTag(objects.read(found.oid))
    const goesOn = await writeAll(stdout, describeTag(tag, names().styles))
    if (!goesOn || tags === MOST_TAGS) return
    found = objects.stream(tag.object)
  }
  if (found.type === 'submodule') {
    await writeAll(stdout, [
      safe`submodule at commit ${escapeControls(found.oid)}, which is in another repository\n`,
    ])
  } else if (found.type === 'blob') {
    await writeAll(stdout, stdout.isTTY ? shownOnTerminal(found.content) : found.content)
  } else {
    const shown = describeObject(objects.read(found.oid), repository, names(), firstParent)
    await writeAll(stdout, shown)
  }
}
