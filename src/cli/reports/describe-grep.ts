import type { GrepFile } from '../../git/grep/grep-tree.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { stylesFor } from '../output/styles.ts'

/** A file that has lines that match. */
export type FoundFile = GrepFile & { readonly repository: string }

/** Lines to show around each that matches. */
export interface ContextLines {
  readonly before: number
  readonly after: number
}

/** Lines that match, counts of them or files, as `git grep -n` shows them, with the repository first. */
export function* describeFound(
  files: Iterable<FoundFile>,
  kind: 'lines' | 'count' | 'files',
  context: ContextLines | undefined,
  { stdout, env }: Io,
): Generator<SafeText> {
  const { cyan, green } = stylesFor(stdout, env)
  let isFirst = true
  for (const { repository, path, lines, found } of files) {
    const place = safe`${cyan(escapeControls(repository))}:${cyan(escapeControls(path))}`
    if (kind === 'files') {
      yield safe`${place}\n`
      continue
    }
    if (kind === 'count') {
      yield safe`${place}:${found.length}\n`
      continue
    }
    for (const group of groupsOf(found, lines.length, context)) {
      if (context && !isFirst) yield safe`--\n`
      isFirst = false
      for (const { line, isFound } of group) {
        const text = escapeControls((lines[line] as string).replace(/\r$/, ''))
        const number = green(safe`${line + 1}`)
        yield isFound ? safe`${place}:${number}:${text}\n` : safe`${place}-${number}-${text}\n`
      }
    }
  }
}

/** Lines with those around them; groups that touch are one. */
function* groupsOf(
  found: readonly number[],
  count: number,
  { before, after }: ContextLines = { before: 0, after: 0 },
): Generator<Iterable<{ line: number; isFound: boolean }>> {
  for (let i = 0; i < found.length; ) {
    const start = Math.max(0, (found[i] as number) - before)
    const matches = new Set<number>()
    let end = start
    while (i < found.length && (found[i] as number) - before <= end) {
      matches.add(found[i] as number)
      end = Math.min(count, (found[i] as number) + after + 1)
      i++
    }
    yield Array.from({ length: end - start }, (_, n) => ({
      line: start + n,
      isFound: matches.has(start + n),
    }))
  }
}
