import type { Report } from '../errors.ts'
import { removeFiles } from './contents/store-file.ts'
import type { Database } from './open-database.ts'
import type { ReplacementCounter } from './rows/replacement-counter.ts'

/** An archive that was loaded before and has records with the same urls. */
export interface Overlap {
  name: string
  exportedAt: string
  /** Whether it was made before or after the one being loaded. */
  age: 'older' | 'newer'
  /** Records that both have. */
  records: number
}

/** When an archive was made, and which of those that have the same records are older or newer. */
export interface Age {
  /** By its own dates, such as 2024-01-31T23:59:59Z. Not known of every archive. */
  exportedAt?: string
  /** Archives that were loaded before and have records with the same urls, if dates tell which is older. */
  overlaps?: Overlap[]
}

interface Dated {
  id: number
  name: string
  exportedAt: string
}

/** Compares an archive with those that hold, or held, records with the same urls. */
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

/** Reports (`archive-older`) that records took the place of others of `newer` archives, as the order of loading wants. */
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
    message: `made ${exportedAt}, before ${named}: ${records}`,
    times,
  })
}

/** Leaves out files of an archive that `newer` ones have, and Git data of their repositories. */
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
