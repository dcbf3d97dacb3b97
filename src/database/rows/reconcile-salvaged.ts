import type { Report } from '../../errors.ts'
import { removeFiles } from '../contents/store-file.ts'
import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'
import { recordTables } from './read-record.ts'

/**
 * Of repositories that an earlier archive has, leaves out the Git data of one that was salvaged, and reports it
 * (`entry-lost`): half a repository is no better than an old one, and two of them make none.
 */
export function keepEarlierGit(database: Database, archive: number, report: Report): void {
  const held = `archive = ${archive} AND repository IN (
    SELECT repository FROM files JOIN archives ON archives.id = files.archive
    WHERE archive <> ${archive} AND state = 'complete')`
  const names = database
    .prepare<[], string>(`SELECT DISTINCT repository FROM files WHERE ${held}`)
    .pluck()
    .all()
  for (const table of ['refs', 'git_packs']) database.exec(`DELETE FROM ${table} WHERE ${held}`)
  if (names.length > 0) removeFiles(database, held)
  for (const repository of names) {
    const message = 'Git data that may not be whole gave way to those of an earlier archive'
    report({ code: 'entry-lost', place: { entry: `repositories/${repository}.git` }, message })
  }
}

/** Notes of salvaged archives that a later one has taken the place of all that was left of them. */
export function noteReplaced(database: Database, archive: number): void {
  const salvaged = database
    .prepare<[number], number>("SELECT id FROM archives WHERE state = 'salvaged' AND id <> ?")
    .pluck()
    .all(archive)
  for (const id of salvaged) {
    const places = [
      ...recordTables(database).map((name) => `${quoteName(name)} WHERE _archive = ${id}`),
      `files WHERE archive = ${id}`,
    ]
    const isHeld = places.some((place) => database.prepare(`SELECT 1 FROM ${place} LIMIT 1`).get())
    if (!isHeld) database.prepare("UPDATE archives SET state = 'replaced' WHERE id = ?").run(id)
  }
}
