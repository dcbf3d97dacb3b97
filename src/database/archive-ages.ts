import type { Report } from '../base/errors.ts'
import { removeFiles } from './contents/store-file.ts'
import type { Database } from './open-database.ts'
import type { ReplacementCounter } from './rows/replacement-counter.ts'

/** An archive loaded earlier that has records with the same URLs. */
export interface Overlap {
  /** Name of the archive. */
  name: string
  /** When it was exported, such as 2024-01-31T23:59:59Z. */
  exportedAt: string
  /** Whether it was exported before or after the one being loaded. */
  age: 'older' | 'newer'
  /** Number of records in both. */
  records: number
}

/** When an archive was exported, and which archives with the same records are older or newer. */
export interface Age {
  /** By the dates in the archive, such as 2024-01-31T23:59:59Z. Not every archive has them. */
  exportedAt?: string
  /** Archives loaded earlier that have records with the same URLs, if dates tell which is older. */
  overlaps?: Overlap[]
}

interface Dated {
  id: number
  name: string
  exportedAt: string
}

/** Compares an archive with those that have, or had, records with the same URLs. */
export function compareAges(
  database: Database,
  archive: number,
  { counts }: Pick<ReplacementCounter, 'counts'>,
): Age {
  const dated = database
    .prepare<[], Dated>(
      'SELECT id, name, exported_at AS exportedAt FROM archives WHERE exported_at IS NOT NULL',
    )
    .all()
  const own = dated.find(({ id }) => id === archive)
  if (!own) return {}
  const { exportedAt } = own
  const overlaps = dated.flatMap(({ id, ...other }): Overlap[] => {
    const records = counts.get(id)?.all ?? 0
    if (id === archive || records === 0 || other.exportedAt === exportedAt) return []
    return [{ ...other, age: other.exportedAt < exportedAt ? 'older' : 'newer', records }]
  })
  return { exportedAt, ...(overlaps.length > 0 && { overlaps }) }
}

/** Reports `archive-older` if records replaced those of `newer` archives because of the order of loading. */
export function reportOlder(
  { exportedAt, overlaps = [] }: Age,
  { counts }: Pick<ReplacementCounter, 'counts'>,
  newer: ReadonlySet<number>,
  report: Report,
): void {
  const times = [...newer].reduce((sum, id) => sum + (counts.get(id)?.other ?? 0), 0)
  if (times === 0) return
  const others = overlaps.filter(({ age }) => age === 'newer')
  const named = others.map(({ name, exportedAt }) => `${name} (${exportedAt})`).join(', ')
  const records = `${times} of its records replaced newer ones`
  report({
    code: 'archive-older',
    place: {},
    message: `exported ${exportedAt}, before ${named}: ${records}`,
    times,
  })
}

/** Removes files of an archive that `newer` archives also have, and Git data of repositories in those. */
export function keepNewerFiles(
  database: Database,
  archive: number,
  newer: ReadonlySet<number>,
): void {
  const theirs = `FROM files WHERE archive IN (${[...newer].join(', ')})`
  const repositories = `archive = ${archive} AND repository IN (SELECT repository ${theirs})`
  for (const table of ['refs', 'git_packs']) {
    database.exec(`DELETE FROM ${table} WHERE ${repositories}`)
  }
  removeFiles(
    database,
    `(${repositories}) OR (archive = ${archive} AND path IN (
      SELECT path ${theirs} AND repository IS NULL))`,
  )
}
