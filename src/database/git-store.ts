import type { Report } from '../base/errors.ts'
import type { Database } from './open-database.ts'
import { readPages } from './read-pages.ts'
import { COMMIT_TABLES } from './schema/commits-table.ts'

/** A ref to store. */
export interface IncomingRef {
  /** owner/name, or owner/name.wiki for a wiki. */
  repository: string
  name: string
  oid?: string | undefined
  peeled?: string | undefined
  target?: string | undefined
  /** Whether it is from packed-refs. Loose refs take precedence. */
  packed: boolean
}

/** The header of a pack or pack index. */
export interface IncomingPack {
  repository: string
  /** Path in the archive. */
  path: string
  version?: number | undefined
  objects?: number | undefined
}

export interface GitStore {
  addRef(ref: IncomingRef): void
  addPack(pack: IncomingPack): void
  /** Removes overridden refs and those of earlier archives, and resolves symbolic refs. */
  finish(): void
}

/** Opens the tables of refs and packs. */
export function openGitStore(
  database: Database,
  { archive, isFirst, report }: { archive: number; isFirst: boolean; report: Report },
): GitStore {
  const insertRef = database.prepare('INSERT INTO refs VALUES (?, ?, ?, ?, ?, ?, ?)')
  const insertPack = database.prepare('INSERT INTO git_packs VALUES (?, ?, ?, ?, ?)')
  return {
    addRef({ repository, name, oid, peeled, target, packed }) {
      insertRef.run(
        archive,
        repository,
        name,
        oid ?? null,
        peeled ?? null,
        target ?? null,
        Number(packed),
      )
    },
    addPack({ repository, path, version, objects }) {
      insertPack.run(archive, repository, path, version ?? null, objects ?? null)
    },
    finish() {
      if (!isFirst) dropEarlierGit(database, archive)
      reportRepeated(database, archive, report)
      keepOneOfEach(database, archive)
      followTargets(database, archive, report)
      reportUnsupported(database, archive, report)
    },
  }
}

function dropEarlierGit(database: Database, archive: number): void {
  for (const table of ['refs', 'git_packs']) {
    database.exec(`DELETE FROM ${table} WHERE archive <> ${archive} AND repository IN (
      SELECT repository FROM files WHERE archive = ${archive})`)
  }
  // They must be indexed again.
  for (const table of COMMIT_TABLES) {
    database.exec(`DELETE FROM ${table} WHERE repository IN (
      SELECT repository FROM files WHERE archive = ${archive})`)
  }
}

function reportRepeated(database: Database, archive: number, report: Report): void {
  const repeated = database.prepare<[], { repository: string; times: number }>(`
    SELECT repository, sum(times - 1) AS times FROM (
      SELECT repository, count(*) AS times FROM refs WHERE archive = ${archive} AND packed
      GROUP BY repository, name HAVING times > 1)
    GROUP BY repository LIMIT 1000`)
  for (const { repository, times } of repeated.all()) {
    const place = { entry: `repositories/${repository}.git/packed-refs` }
    report({
      code: 'git-ref-invalid',
      place,
      message: `${times} refs stand there before; the last was kept`,
    })
  }
}

/** Keeps the last of several refs with one name, and loose refs rather than packed ones. */
function keepOneOfEach(database: Database, archive: number): void {
  const same = 'o.repository = r.repository AND o.name = r.name'
  database.exec(`
    DELETE FROM refs AS r WHERE archive = ${archive} AND EXISTS (
      SELECT 1 FROM refs AS o WHERE ${same} AND o.packed = r.packed AND o.rowid > r.rowid);
    DELETE FROM refs AS r WHERE archive = ${archive} AND packed AND EXISTS (
      SELECT 1 FROM refs AS o WHERE ${same} AND o.packed = 0)`)
}

const PAGE = 1000
/** Git follows as many symbolic refs. */
const LONGEST_CHAIN = 5

/** Resolves symbolic refs. */
function followTargets(database: Database, archive: number, report: Report): void {
  interface Symbolic {
    repository: string
    name: string
    target: string
  }
  const pages = readPages<Symbolic>(database, {
    columns: 'repository, name, target',
    from: 'refs',
    size: PAGE,
    where: `archive = ${archive} AND target IS NOT NULL`,
  })
  const find = database.prepare<[string, string], { oid: string | null; target: string | null }>(
    'SELECT oid, target FROM refs WHERE repository = ? AND name = ?',
  )
  const resolve = database.prepare('UPDATE refs SET oid = ? WHERE rowid = ?')
  for (const rows of pages) {
    for (const { position, repository, name, target } of rows) {
      let next = find.get(repository, target)
      for (let steps = 1; next?.target && steps < LONGEST_CHAIN; steps++) {
        next = find.get(repository, next.target)
      }
      if (next?.target) {
        const place = { entry: `repositories/${repository}.git/${name}` }
        const message = `symbolic refs from ${JSON.stringify(target.slice(0, 100))} never end`
        report({ code: 'git-ref-dangling', place, message })
      } else if (next?.oid) {
        resolve.run(next.oid, position)
      }
    }
  }
}

/** Reports repositories with unsupported refs or object ids. */
function reportUnsupported(database: Database, archive: number, report: Report): void {
  const unsupported = database.prepare<[], { repository: string; message: string }>(`
    SELECT DISTINCT repository, 'its refs are in a reftable' AS message FROM files
    WHERE archive = ${archive} AND role = 'git'
      AND path = 'repositories/' || repository || '.git/reftable/tables.list'
    UNION SELECT DISTINCT repository, 'its object ids are not SHA-1' FROM refs
    WHERE archive = ${archive} AND length(oid) = 64 LIMIT 1000`)
  for (const { repository, message } of unsupported.all()) {
    report({ code: 'git-unsupported', place: { entry: `repositories/${repository}.git` }, message })
  }
}
