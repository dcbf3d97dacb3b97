import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Problem, ProblemCode } from '../base/errors.ts'
import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { orderOf } from '../database/record-files/place-records.ts'
import { ownerRepository } from '../database/rows/owner-repository.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import {
  type KindStatistics,
  type RepositoryStatistics,
  WRITTEN,
} from '../records/statistics/collect-statistics.ts'
import { byFullName } from '../records/statistics/repository-of-record.ts'
import type { FileCount, Inspection } from './inspect-archive.ts'

/** Additional facts in the inspection of a database. */
export interface DatabaseInspection extends Inspection {
  /** The names of the first loaded archives. */
  archives: string[]
}

const MOST = { archives: 1000, problems: 1000, repositories: 100_000, writers: 10 }

/** Counts what a database holds now, in the form of `inspectArchive`. */
export function inspectDatabase(database: Database): DatabaseInspection {
  const { tables } = orderOf(database)
  const archives = database
    .prepare<[], string>(
      `SELECT CAST(name AS TEXT) FROM archives ORDER BY id LIMIT ${MOST.archives}`,
    )
    .pluck()
    .all()
  const salvaged = database.prepare("SELECT 1 FROM archives WHERE state = 'salvaged'").get()
  const schema = database
    .prepare<[], { version: string | null; github_sha: string | null }>(
      `SELECT CAST(schema_version AS TEXT) AS version, CAST(github_sha AS TEXT) AS github_sha
       FROM archives ORDER BY id DESC`,
    )
    .get()
  return {
    name: basename(resolve(database.name)),
    size: statSync(database.name).size,
    archives,
    state: salvaged ? 'salvaged' : 'complete',
    form: {},
    schema: {
      ...(schema?.version != null && { version: schema.version }),
      ...(schema?.github_sha != null && { github_sha: schema.github_sha }),
    },
    kinds: surveyKinds(database, tables),
    repositories: surveyRepositories(database, tables),
    writers: findWriters(database, tables),
    files: countFiles(database, 'role', 'TRUE'),
    git: countFiles(database, 'repository', "role = 'git' AND repository IS NOT NULL"),
    ...listProblems(database, archives),
  }
}

const hasColumn = (table: string, column: string): boolean =>
  kindNamed(table)?.columns[column] !== undefined

function surveyKinds(database: Database, tables: readonly string[]): Inspection['kinds'] {
  const kinds: Inspection['kinds'] = Object.create(null)
  const files = database
    .prepare<[], [string, number]>(
      'SELECT CAST(kind AS TEXT), count(*) FROM record_files GROUP BY 1',
    )
    .raw()
    .all()
  const open = (name: string): KindStatistics => {
    const kind = kinds[name] ?? { records: 0, files: 0, known: kindNamed(name) !== undefined }
    kinds[name] = kind
    return kind
  }
  for (const [kind, count] of files) open(kind).files = count
  for (const table of tables) {
    const from = quoteName(table)
    const records = Number(database.prepare(`SELECT count(*) FROM ${from}`).pluck().get())
    if (records === 0) continue
    const kind = Object.assign(open(table), { records })
    if (hasColumn(table, 'created_at')) Object.assign(kind, surveyTimes(database, from))
  }
  return kinds
}

function surveyTimes(
  database: Database,
  from: string,
): Pick<KindStatistics, 'first' | 'last' | 'months'> {
  const texts = `FROM ${from} WHERE typeof(created_at) = 'text'`
  const [first, last] = database
    .prepare<[], [string | null, string | null]>(`SELECT min(created_at), max(created_at) ${texts}`)
    .raw()
    .get() as [string | null, string | null]
  // Only the years 1970 to 2199, to limit the number of months.
  const months = database
    .prepare<[], [string, number]>(
      `SELECT substr(created_at, 1, 7), count(*) ${texts}
       AND (created_at GLOB '19[7-9][0-9]-[01][0-9]-*' OR created_at GLOB '2[01][0-9][0-9]-[01][0-9]-*')
       GROUP BY 1`,
    )
    .raw()
    .all()
  return {
    ...(first !== null && { first }),
    ...(last !== null && { last }),
    ...(months.length > 0 && { months: Object.fromEntries(months) }),
  }
}

function surveyRepositories(
  database: Database,
  tables: readonly string[],
): Inspection['repositories'] {
  const found = new Map<string, RepositoryStatistics>()
  for (const table of tables) {
    const owner = ownerRepository(table)
    // Protected branches are settings; an inspection counts what people did.
    if (owner === undefined || owner === 'repository_url') continue
    const column = quoteName(owner)
    const rows = database
      .prepare<[], [string, number]>(
        `SELECT ${column}, count(*) FROM ${quoteName(table)} WHERE typeof(${column}) = 'text' GROUP BY 1`,
      )
      .raw()
    for (const [url, records] of rows.iterate()) {
      const kinds = found.get(url) ?? Object.create(null)
      if (!found.has(url) && found.size === MOST.repositories) break
      found.set(url, kinds)
      kinds[table] = records
    }
  }
  return Object.assign(Object.create(null), Object.fromEntries(byFullName(found)))
}

function findWriters(database: Database, tables: readonly string[]): Inspection['writers'] {
  const parts = tables
    .filter((table) => WRITTEN.has(table) && hasColumn(table, 'user'))
    .map(
      (table) =>
        `SELECT replace(user, rtrim(user, replace(user, '/', '')), '') AS login FROM ${quoteName(table)}
         WHERE typeof(user) = 'text' AND length(user) <= 1000`,
    )
  if (parts.length === 0) return []
  return database
    .prepare<[], { login: string; records: number }>(
      `SELECT login, count(*) AS records FROM (${parts.join(' UNION ALL ')})
       GROUP BY login ORDER BY records DESC, login LIMIT ${MOST.writers}`,
    )
    .all()
}

function countFiles(database: Database, by: string, where: string): Record<string, FileCount> {
  const counts = database
    .prepare<[], [string, number, number]>(
      `SELECT CAST(${by} AS TEXT), count(*), total(size) FROM files WHERE ${where} GROUP BY 1
       LIMIT ${MOST.repositories}`,
    )
    .raw()
    .all()
  return Object.assign(
    Object.create(null),
    Object.fromEntries(counts.map(([name, count, bytes]) => [name, { count, bytes }])),
  )
}

interface ProblemRow {
  code: ProblemCode
  archive: string | null
  entry: string | null
  record: number | null
  member: string | null
  message: string
  times: number
}

function listProblems(
  database: Database,
  archives: readonly string[],
): Pick<Inspection, 'problems' | 'problemCount'> {
  const rows = database
    .prepare<[], ProblemRow>(
      `SELECT CAST(code AS TEXT) AS code, CAST(a.name AS TEXT) AS archive, CAST(entry AS TEXT) AS entry, CAST(record AS INTEGER) AS record,
         CAST(member AS TEXT) AS member, CAST(message AS TEXT) AS message, CAST(times AS INTEGER) AS times
       FROM problems AS p LEFT JOIN archives AS a ON a.id = p.archive
       ORDER BY p.rowid LIMIT ${MOST.problems}`,
    )
    .all()
  const problems = rows.map(({ code, archive, entry, record, member, message, times }): Problem => {
    const place = {
      archive: archives.length > 1 ? (archive ?? undefined) : undefined,
      entry: entry ?? undefined,
      record: record ?? undefined,
      member: member ?? undefined,
    }
    return { code, place, message, ...(times > 1 && { times }) }
  })
  const problemCount = Number(database.prepare('SELECT count(*) FROM problems').pluck().get())
  return { problems, problemCount }
}
