import { createHash } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ArchiveSource } from '../../src/archive/open-archive.ts'
import type { Problem } from '../../src/base/errors.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { quoteName } from '../../src/database/quote.ts'
import { inspectArchive } from '../../src/inspect/inspect-archive.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { tarGzOf, tarOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { inPiecesOf } from '../support/pieces.ts'
import { plainObjects } from '../support/plain-objects.ts'
import { THOROUGH } from '../support/thorough.ts'

/** An archive that is large enough for a worker thread, with records of these kinds, in mostly canonical files. */
const archiveOf = (kinds: readonly string[]) =>
  tarOf({
    ...Object.fromEntries(
      kinds.flatMap((name) =>
        [1, 2].map((i) => [
          `${name}_00000${i}.json`,
          fc.sample(plainObjects(KINDS[name as keyof typeof KINDS]), { seed: i, numRuns: 5 }),
        ]),
      ),
    ),
    'attachments/1/large.bin': Buffer.alloc(8 * 2 ** 20, 'large'),
    'schema.json': '{"version":"1.2.0"}',
  })
const few = archiveOf(['users', 'issues', 'pull_requests'])

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** The archive as a file in a new folder. */
const file = async (bytes = few) =>
  join(await folderOf({ 'export.tar.gz': bytes }), 'export.tar.gz')

/** The same archive as a stream, which is never read by another thread. */
const stream = (bytes = few): ArchiveSource => ({
  name: 'export.tar.gz',
  bytes: inPiecesOf(bytes, 500_000),
})

/** Everything in a database but when it was loaded. */
async function load(source: ArchiveSource) {
  const path = join(await folderOf(), 'it.db')
  const problems: Problem[] = []
  const summary = await loadArchive(source, path, { report: (problem) => problems.push(problem) })
  const database = openDatabase(path)
  database.defaultSafeIntegers()
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all()
  const tables = names.map((name) => [
    name,
    database
      .prepare(`SELECT * FROM ${quoteName(String(name))}`)
      .raw()
      .all()
      // It covers the time of the load.
      .filter((row) => name !== 'row_checksums' || (row as unknown[])[0] !== 'archives')
      // Bytes by their hash: to compare each takes a second.
      .map((row) =>
        (row as unknown[]).map((value) => (Buffer.isBuffer(value) ? hash(value) : value)),
      ),
  ])
  const [{ loaded_at, size, ...archive }] = database.prepare('SELECT * FROM archives').all() as [
    Record<string, unknown>,
  ]
  database.close()
  return {
    problems,
    archive,
    kinds: summary.archives[0]?.kinds,
    tables: Object.fromEntries(tables.filter(([name]) => name !== 'archives')),
  }
}

const becomesTheSame = async (bytes: Buffer) => {
  const ahead = await load(await file(bytes))
  expect(ahead).toEqual(await load(stream(bytes)))
  expect(ahead.problems).not.toEqual([])
}
test('a file read by a worker thread becomes the same database', () => becomesTheSame(few))
test('so does one of records of all kinds', THOROUGH, () =>
  becomesTheSame(archiveOf(Object.keys(KINDS))),
)

test('a file read by a worker thread is added to a database the same way', THOROUGH, async () => {
  const added = async (source: ArchiveSource) => {
    const path = join(await folderOf(), 'it.db')
    await loadArchive({ name: 'other', bytes: inPiecesOf(tarGzOf({ 'schema.json': '{}' })) }, path)
    return (await loadArchive(source, path)).archives
  }
  expect(await added(await file())).toEqual(await added(stream()))
})

// That a thread reads for it, too, is shown where it refuses what holds no archive.
test('a file read by a worker thread is inspected the same way', THOROUGH, async () => {
  const { size, ...ahead } = await inspectArchive(await file())
  expect(size).toBe(few.length)
  expect(ahead).toEqual(await inspectArchive(stream()))
})
