import { expect, test } from 'vitest'
import { createLineDiffer, type LineChange } from '../../../src/git/diff/diff-lines.ts'
import { splitLines, type TextLines, withoutCommonTail } from '../../../src/git/diff/text-lines.ts'
import { git } from '../../support/bare-repository.ts'
import { folderOf } from '../../support/folder.ts'
import { runs } from '../../support/property-runs.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** Numbers from 0 up to `limit`, the same ones each time. */
function createDice(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** Versions of a file: edits, moved blocks, and wholly new ones, of many equal lines. */
function versionsOf(seed: number, count: number, size: number, words: number): string[] {
  const dice = createDice(seed)
  const line = () => `${' '.repeat(dice(3))}${dice(words)}`
  let lines = Array.from({ length: size }, line)
  return Array.from({ length: count }, (_, i) => {
    const at = dice(lines.length)
    const block = lines.splice(at, dice(size / 3))
    const isMoved = dice(2) > 0
    if (isMoved) lines.splice(dice(lines.length + 1), 0, ...block)
    for (let n = dice(size); n > 0; n--) lines.splice(dice(lines.length + 1), dice(3), line())
    while (lines.length < size) lines.push(line())
    if (i % 5 === 4) lines = lines.map((old) => (dice(3) > 0 ? line() : old))
    return `${lines.join('\n')}${dice(2) > 0 ? '\n' : ''}`
  })
}

const importOf = (versions: readonly string[]) =>
  versions
    .map(
      (text, i) =>
        `commit refs/heads/main\ncommitter A <a@forge.example> ${i + 1} +0000\ndata 1\n.\nM 100644 inline f\ndata ${text.length}\n${text}\n`,
    )
    .join('')

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** The changed lines of a hunk header without context. */
function changeOf(header: string): LineChange {
  const [, oldLine, oldCount = 1, newLine, newCount = 1] = HUNK.exec(header) ?? []
  // Of no lines, the header names the line before them.
  const startOf = (line: unknown, count: unknown) => Number(line) - (Number(count) > 0 ? 1 : 0)
  const [oldStart, newStart] = [startOf(oldLine, oldCount), startOf(newLine, newCount)]
  const [oldEnd, newEnd] = [oldStart + Number(oldCount), newStart + Number(newCount)]
  return { oldStart, oldEnd, newStart, newEnd }
}

test(
  'The changed lines are those of Git, also where it cuts a long search short',
  THOROUGH,
  async () => {
    const chains = [
      versionsOf(1, runs(60), 30, 8),
      versionsOf(2, runs(40), 200, 12),
      versionsOf(3, runs(20), 400, 300),
      versionsOf(4, Math.max(3, runs(6)), 2_500, 900),
    ]
    const versions = chains.flat()
    const folder = await folderOf()
    git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', 'it.git'])
    git(`${folder}/it.git`, ['fast-import', '--quiet'], importOf(versions))
    const bare = git(`${folder}/it.git`, ['log', '-p', '--reverse', '-U0', '--format=%nBEGIN'])
      .split('BEGIN\n')
      .slice(2)
      .map((patch) =>
        patch
          .split('\n')
          .filter((line) => HUNK.test(line))
          .map(changeOf),
      )
    const files = versions.map((text) => splitLines(Buffer.from(text)))
    const found = bare.map((_, i) => {
      const [before, after] = [files[i], files[i + 1]] as [TextLines, TextLines]
      return createLineDiffer()(...withoutCommonTail(before, after))
    })
    for (const [i, changes] of bare.entries()) expect([i, found[i]]).toEqual([i, changes])
    expect(bare.length).toBe(versions.length - 1)
  },
)
