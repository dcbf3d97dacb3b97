/** What must hold of any archive, whatever is wrong with it. Throws an `Error` that says what does not. */

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { ArchiveError } from '../../src/base/errors.ts'
import { collect } from '../../src/base/streams.ts'
import { buildArchive } from '../../src/build/build-archive.ts'
import { type Database, openDatabase } from '../../src/database/open-database.ts'
import { quoteName } from '../../src/database/quote.ts'
import { recordTables } from '../../src/database/rows/read-record.ts'
import { openRepository } from '../../src/git/open-repository.ts'
import { verifyRepository } from '../../src/git/verify/verify-repository.ts'
import { inspectArchive } from '../../src/inspect/inspect-archive.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { inPiecesOf } from '../support/pieces.ts'

/** `loaded`, or the code of the error that refused it. */
export type Outcome = 'loaded' | ArchiveError['code']

const sourceOf = (bytes: Uint8Array) => ({ name: 'fuzz', bytes: inPiecesOf(bytes, 64 * 1024) })

/** Runs what may only throw an `ArchiveError`; gives its code, or nothing where all went well. */
async function codeOf(work: () => Promise<unknown>): Promise<ArchiveError['code'] | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof ArchiveError) return error.code
    throw new Error(`an error without a code: ${(error as Error).stack}`, { cause: error })
  }
}

/** Reads an archive without a database: what is refused must be so in both ways, but for damage. */
export async function tryToRead(bytes: Uint8Array): Promise<Outcome> {
  const strict = await codeOf(() => inspectArchive(sourceOf(bytes)))
  const salvaged = await codeOf(async () => {
    const { state } = await inspectArchive(sourceOf(bytes), { salvage: true })
    if ((state === 'salvaged') !== (strict !== undefined)) {
      throw new Error(`inspected as ${state}, but refused as ${strict}`)
    }
  })
  if (salvaged && !strict) throw new Error(`salvage refuses what is whole: ${salvaged}`)
  return strict ?? 'loaded'
}

/** Loads an archive in every way into a folder, which is empty again after that. */
export async function tryToLoad(bytes: Uint8Array, folder: string): Promise<Outcome> {
  const path = (name: string) => join(folder, name)
  let problems = 0
  const refused = await codeOf(() =>
    loadArchive(sourceOf(bytes), path('it.db'), { report: () => problems++ }),
  )
  if (refused && existsSync(path('it.db'))) throw new Error('refused, but a database is there')
  const salvaged = await codeOf(() =>
    loadArchive(sourceOf(bytes), path('salvaged.db'), { salvage: true }),
  )
  if (salvaged && !refused) throw new Error(`salvage refuses what is whole: ${salvaged}`)
  for (const name of ['it.db', 'salvaged.db'].filter((name) => existsSync(path(name)))) {
    const database = openDatabase(path(name))
    try {
      const check = database.pragma('integrity_check', { simple: true })
      if (check !== 'ok') throw new Error(`${name}: ${check}`)
      await tryGit(database)
      await tryToBuild(database, path('again.db'), name === 'it.db' && problems === 0)
    } finally {
      database.close()
    }
    rmSync(path(name))
  }
  return refused ?? 'loaded'
}

async function tryGit(database: Database): Promise<void> {
  const names = database
    .prepare<[], string>('SELECT DISTINCT repository FROM files WHERE repository IS NOT NULL')
    .pluck()
    .all()
  for (const name of names) {
    await codeOf(async () => {
      for await (const _ of verifyRepository(database, name));
    })
    await codeOf(async () => {
      const repository = openRepository(database, name)
      for await (const _ of repository.refs());
      for await (const _ of repository.log());
      for await (const _ of repository.walk());
    })
  }
}

/** Builds and loads again, allowing breaches, as not all that loads keeps the rules. What came `whole` must come back so. */
async function tryToBuild(database: Database, path: string, whole: boolean): Promise<void> {
  const code = await codeOf(async () => {
    const built = await collect(buildArchive(database, { allowInvalid: true }))
    await loadArchive(sourceOf(built), path)
    const again = openDatabase(path)
    try {
      if (!isDeepStrictEqual(contentOf(again), contentOf(database))) {
        throw new Error('built and loaded again it is not the same')
      }
    } finally {
      again.close()
      rmSync(path)
    }
  })
  if (code && whole) throw new Error(`loaded without a problem, but not built: ${code}`)
}

/** Records by table in an order of their own, and files by path. */
function contentOf(database: Database): unknown {
  const tables = recordTables(database).flatMap((name) => {
    const rows = database.prepare(`SELECT * FROM ${quoteName(name)}`).all()
    if (rows.length === 0) return []
    const texts = rows.map((row) => {
      const { _archive, _entry, _record_number, ...rest } = row as Record<string, unknown>
      return JSON.stringify(rest)
    })
    return [[name, texts.sort()]]
  })
  const files = database.prepare('SELECT path, size, sha256 FROM files ORDER BY 1, 2, 3').all()
  return [tables.sort(), files]
}
