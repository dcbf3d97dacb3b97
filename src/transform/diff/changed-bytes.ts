import { createHash } from 'node:crypto'
import { readArchive } from '../../archive/read-archive.ts'
import { DEFAULT_LIMITS, type Limits } from '../../base/limits.ts'
import type { Bytes } from '../../base/streams.ts'
import { buildArchive } from '../../build/build-archive.ts'
import type { BuildOptions } from '../../build/build-options.ts'
import type { Database } from '../../database/open-database.ts'
import { withSha256 } from '../../files/write-file.ts'
import { asChange } from './changed-files.ts'
import type { Change } from './diff-options.ts'

const UNLIMITED = Object.fromEntries(
  Object.keys(DEFAULT_LIMITS).map((name) => [name, Number.POSITIVE_INFINITY]),
) as unknown as Limits

interface Entry {
  position: number
  size: number
  mode: number
  modified_at: string
  sha256: string
}

/** A row of the temporary table `built_entries`. */
type BuiltEntry = Entry & { path: string }

/**
 * The entries by which the archives differ that two databases build: one without a change builds the same bytes. If only
 * the container differs, the change has no URL.
 */
export async function* changedBytes(
  pair: Database,
  sides: readonly [Database, Database],
  options: BuildOptions,
): AsyncGenerator<Change> {
  pair.exec(`CREATE TEMP TABLE built_entries (
    side INTEGER, path TEXT, position INTEGER, size INTEGER, mode INTEGER, modified_at TEXT, sha256 TEXT,
    PRIMARY KEY (path, side)) WITHOUT ROWID`)
  const sums: string[] = []
  for (const [side, database] of sides.entries()) {
    sums.push(
      await listEntries(
        pair,
        side,
        buildArchive(database, { ...options, level: 1, allowInvalid: true }),
      ),
    )
  }
  let count = 0
  for (const change of changedEntries(pair)) {
    count++
    yield change
  }
  const [before = '', after = ''] = sums
  if (count > 0 || before === after) return
  yield { kind: 'entries', url: null, change: 'changed', members: { sha256: { before, after } } }
}

/** Notes the entries of an archive. Returns the SHA-256 of its compressed bytes, which follow from the tar. */
async function listEntries(pair: Database, side: number, archive: Bytes): Promise<string> {
  const insert = pair.prepare(
    'INSERT OR REPLACE INTO temp.built_entries VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const { bytes, sum } = withSha256(archive)
  let position = 0
  for await (const entry of readArchive(bytes, { limits: UNLIMITED })) {
    const content = createHash('sha256')
    for await (const chunk of entry.content) content.update(chunk)
    const { path, size, mode, modifiedAt } = entry
    const sha256 = content.digest('hex')
    insert.run(side, path, ++position, size, mode, modifiedAt.toISOString(), sha256)
  }
  return sum().sha256
}

const PAGE = 500

function* changedEntries(pair: Database): Generator<Change> {
  const page = pair
    .prepare<[string], string>(
      `SELECT path FROM (
         SELECT path, count(*) AS sides, count(DISTINCT printf('%d %d %d %s %s', position, size, mode, modified_at, sha256)) AS forms
         FROM temp.built_entries WHERE path > ? GROUP BY path)
       WHERE sides < 2 OR forms > 1 ORDER BY path LIMIT ${PAGE}`,
    )
    .pluck()
  const read = pair.prepare<[number, string], BuiltEntry>(
    'SELECT * FROM temp.built_entries WHERE side = ? AND path = ?',
  )
  for (let last = ''; ; ) {
    const paths = page.all(last)
    for (const path of paths) {
      const [before, after] = [read.get(0, path), read.get(1, path)]
      const sides = { ...(before && { before }), ...(after && { after }) }
      yield asChange<BuiltEntry>('entries', path, sides, FACTS)
    }
    if (paths.length < PAGE) return
    last = paths.at(-1) as string
  }
}

const FACTS = ['position', 'size', 'mode', 'modified_at', 'sha256'] as const
