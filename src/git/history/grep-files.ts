import { isUtf8 } from 'node:buffer'
import { isText } from '../diff/text-lines.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { typeOfEntry } from '../parse/parse-tree.ts'
import { walkTree } from './walk-tree.ts'

/** A line of a file that contains the text. */
export interface FoundLine {
  readonly path: string
  /** Begins at 1. */
  readonly line: number
  /** Without its line break. Other than UTF-8 is read as Latin-1. */
  readonly text: string
}

// As for patches: a larger file is hardly text.
const LARGEST = 32 * 2 ** 20

/**
 * Yields the lines of all text files of a tree that contain a text, in the order of `git grep --fixed-strings`. Binary files,
 * files of more than 32 MiB, links and submodules are not searched.
 *
 * @throws `git-object-missing`, `git-object-damaged` or `git-too-large`
 */
export function* grepFiles(
  objects: ObjectStore,
  tree: string,
  text: string,
  { ignoreCase = false }: { ignoreCase?: boolean | undefined } = {},
): Generator<FoundLine> {
  const wanted = ignoreCase ? text.toLowerCase() : text
  const folded = (line: string) => (ignoreCase ? line.toLowerCase() : line)
  for (const entry of walkTree(objects, tree)) {
    if (typeOfEntry(entry) !== 'blob' || !entry.mode.startsWith('100')) continue
    if (objects.sizeOf(entry.oid) > LARGEST) continue
    const { content } = objects.read(entry.oid)
    if (!isText(content)) continue
    const whole = content.toString(isUtf8(content) ? 'utf8' : 'latin1')
    if (!folded(whole).includes(wanted)) continue
    const lines = whole.split('\n')
    for (const [i, line] of lines.entries()) {
      if (!folded(line).includes(wanted)) continue
      yield { path: entry.path, line: i + 1, text: line.replace(/\r$/, '') }
    }
  }
}
