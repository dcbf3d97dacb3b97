import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { largeCommits, largestObjects } from '../../../src/git/history/large-objects.ts'
import { git } from '../../support/bare-repository.ts'
import { folderOf } from '../../support/folder.ts'
import { packOfOne } from '../../support/git-pack.ts'
import { makeBare } from '../../support/git-world.ts'
import { loaded } from '../../support/load.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const commit = (branch: string, message: string, ...changes: string[]) =>
  `commit refs/heads/${branch}
committer Ada <ada@forge.example> 1714564800 +0000
data <<.
${message}
.
${changes.join('\n')}
`
const file = (path: string, size: number, letter = 'x') =>
  `M 100644 inline ${path}\ndata ${size}\n${letter.repeat(size)}`

const HISTORY = [
  commit('main', 'two of one content', file('a', 500), file('b', 500), file('c', 300, 'c')),
  commit('side', 'much', 'from refs/heads/main', file('d', 700, 'd'), file('e', 400, 'e')),
  commit('main', 'moved', 'R a moved/a', 'R c moved/c', file('b', 501)),
  commit('main', 'merged', 'merge refs/heads/side', file('d', 700, 'd'), file('e', 400, 'e')),
  commit('main', 'gone', 'D d', 'D e', file('f', 1)),
  commit('main', 'submodule', `M 160000 ${'ab'.repeat(20)} vendor`),
].join('')

/** The files of a folder by the names they have in an archive. */
const filesOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [`repositories/a/b.git${path.slice(folder.length)}`, readFileSync(path)]),
  )

/** A repository of this history, of packed objects or loose ones, and the archive it is in. */
async function made(how: 'packed' | 'loose') {
  const directory = join(await folderOf(), 'b.git')
  makeBare(directory)
  const limit = how === 'packed' ? 0 : 1000
  git(directory, ['-c', `fastimport.unpackLimit=${limit}`, 'fast-import', '--quiet'], HISTORY)
  return { directory, files: filesOf(directory) }
}

everyDay(1)(['packed', 'loose'] as const)(
  'Each content that a commit brings counts once, and what was moved or merged not at all: %s',
  async (how) => {
    const { directory, files } = await made(how)
    const { database } = await loaded(files)
    const found = (least: number) =>
      [...largeCommits(database, least)]
        .map(({ oid, size }) => {
          const message = git(directory, ['log', '-1', '--format=%s', oid]).trim()
          return `${message}: ${size}`
        })
        .toSorted()
    expect(found(500)).toEqual(['moved: 501', 'much: 1100', 'two of one content: 800'])
    expect(found(799)).toEqual(['much: 1100', 'two of one content: 800'])
    expect(found(800)).toEqual(['much: 1100'])
    expect(found(1100)).toEqual([])
  },
)

test('Nothing is said of contents that were not stored', async () => {
  const { files } = await made('packed')
  const { database } = await loaded(files, { files: false })
  expect([...largeCommits(database, 100)]).toEqual([])
})

test('Missing objects are ignored', THOROUGH, async () => {
  const { directory, files } = await made('loose')
  const blob = git(directory, ['rev-parse', 'side:d']).trim()
  delete files[`repositories/a/b.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`]
  const { database } = await loaded(files)
  expect([...largeCommits(database, 399)].map(({ size }) => size).toSorted()).toEqual([
    400, 501, 800,
  ])
})

const OID = 'c0ffee'.padEnd(40, '0')
const LEAST = 1_000_000
const BLOB = 3
const OFFSET_DELTA = 6

/** The large objects of a repository with one pack of one object. */
async function foundIn(object: Parameters<typeof packOfOne>[1], files = true) {
  const { pack, index } = packOfOne(OID, object)
  const archive = {
    'repositories/a/b.git/objects/pack/pack-aa.pack': pack,
    'repositories/a/b.git/objects/pack/pack-aa.idx': index,
  }
  const { database } = await loaded(archive, { files: files || ((path) => path.endsWith('.idx')) })
  return [...largestObjects(database, LEAST)]
}

const found = (size: number) => ({
  entry: 'repositories/a/b.git/objects/pack/pack-aa.pack',
  oid: OID,
  size,
})

test('An object is found that is too large, however well it is packed', THOROUGH, async () => {
  const data = Buffer.alloc(2000)
  expect(await foundIn({ type: BLOB, size: LEAST + 1, data })).toEqual([found(LEAST + 1)])
  expect(await foundIn({ type: BLOB, size: LEAST, data })).toEqual([])
})

test('Entries too short to be that large are not read', async () => {
  expect(await foundIn({ type: BLOB, size: LEAST + 1, data: Buffer.alloc(900) })).toEqual([])
})

test('For a pack that was not stored, the compressed size is reported', THOROUGH, async () => {
  const size = 3 * LEAST
  expect(await foundIn({ type: BLOB, size, data: Buffer.alloc(2000) }, false)).toEqual([])
  const [object] = await foundIn({ type: BLOB, size, data: Buffer.alloc(LEAST) }, false)
  expect(object?.size).toBeGreaterThan(LEAST)
  expect(object?.size).toBeLessThan(LEAST + 20)
})

test('Deltas, and bytes that are not objects, are ignored', THOROUGH, async () => {
  const data = Buffer.alloc(2000, 1)
  expect(await foundIn({ type: OFFSET_DELTA, size: 2 * LEAST, data })).toEqual([])
  expect(await foundIn({ type: 0, size: 2 * LEAST, data })).toEqual([])
})

test('An object in a file of its own is found by the size of that file', THOROUGH, async () => {
  const path = `repositories/a/b.git/objects/c0/${OID.slice(2)}`
  const { database } = await loaded({ [path]: Buffer.alloc(LEAST + 1) })
  expect([...largestObjects(database, LEAST)]).toEqual([{ entry: path, oid: OID, size: LEAST + 1 }])
})
