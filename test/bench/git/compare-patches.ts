/**
 * Compares the patches of a whole history with those of Git, and has `git apply` take each of them:
 *
 *     node test/bench/git/compare-patches.ts archive.db owner/name /path/to/the/same.git
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../src/database/open-database.ts'
import { diffTrees } from '../../../src/git/diff/diff-trees.ts'
import { createPatchFormatter } from '../../../src/git/diff/format-patch.ts'
import { readCommit, walkCommits } from '../../../src/git/history/walk-commits.ts'
import { openRepository } from '../../../src/git/open-repository.ts'

const EMPTY = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
/** Pairs of distant commits, whose patches have many renames. */
const DISTANT = 500

const [path, name, directory] = process.argv.slice(2)
if (!path || !name || !directory)
  throw new Error('expected a database, owner/name and a repository')

const { objects, resolve } = openRepository(openDatabase(path), name)
const commits = [...walkCommits(objects, [resolve('HEAD', 'commit')])]
const treeAt = (i: number) => commits[i % commits.length]?.tree ?? EMPTY
const pairs = [
  ...commits.map(({ tree, parents: [parent] }) => [
    parent === undefined ? EMPTY : readCommit(objects, parent).tree,
    tree,
  ]),
  ...Array.from({ length: DISTANT }, (_, i) => [treeAt(i * 7_919), treeAt(i * 104_729 + 13)]),
] as [string, string][]

const folder = mkdtempSync(join(tmpdir(), 'compare-patches-'))
const env = { PATH: process.env.PATH, GIT_INDEX_FILE: join(folder, 'index') }
const git = (args: readonly string[], input?: Uint8Array) =>
  execFileSync('git', ['-C', directory, ...args], { env, input, maxBuffer: 2 ** 30 })
// Git abbreviates by what its own repository has, and deflates with another library.
const plain = (patch: Buffer) => patch.toString('latin1').replaceAll(/^index \w+\.\.\w+/gm, 'index')

const count = { patches: 0, equal: 0, refused: 0 }
try {
  for (const [before, after] of pairs) {
    if (before === after) continue
    const format = createPatchFormatter(objects, { binary: true })
    const pieces: Buffer[] = []
    for await (const file of diffTrees(objects, before, after)) pieces.push(...format(file))
    const ours = Buffer.concat(pieces)
    count.patches++
    if (plain(ours) === plain(git(['diff-tree', '-p', '-M', '--binary', before, after]))) {
      count.equal++
    }
    git(['read-tree', before])
    git(['apply', '--cached', '--whitespace=nowarn', '-'], ours)
    if (git(['write-tree']).toString().trim() !== after) count.refused++
  }
} finally {
  rmSync(folder, { recursive: true })
}
process.stdout.write(`${JSON.stringify(count)}\n`)
process.exitCode = count.refused > 0 ? 1 : 0
