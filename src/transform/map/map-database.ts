import {
  aFlag,
  aFunction,
  anOpenDatabase,
  aPath,
  aSignal,
  aText,
  checkArguments,
  checkOptions,
  listOf,
  objectOf,
  oneOf,
  type Shapes,
} from '../../base/check-arguments.ts'
import { nextTurn } from '../../base/next-turn.ts'
import type { Database } from '../../database/open-database.ts'
import { SELECTION_SHAPES, type Selection } from '../../database/rows/selection.ts'
import { openWorkingCopy } from '../working-copy.ts'
import { type OutputOptions, writeOutput } from '../write-output.ts'
import type { IdentityMap } from './identity-map.ts'
import { type MapOptions, mapRecords, UNMAPPED } from './map-records.ts'
import type { MapReport } from './map-report.ts'
import { MENTIONS } from './map-texts.ts'

const renamings = listOf(
  objectOf({ old: aText, new: aText, place: aText }, ['old', 'new', 'place']),
)
const aMap = objectOf({ hosts: renamings, logins: renamings, repositories: renamings }, [
  'hosts',
  'logins',
  'repositories',
])

/** How to rename, which records to write, and where. */
export type MapDatabaseOptions = MapOptions & Selection & OutputOptions

const SHAPES: Shapes<MapDatabaseOptions> = {
  ...SELECTION_SHAPES,
  mentions: oneOf(...MENTIONS),
  unmapped: oneOf(...UNMAPPED),
  merge: aFlag,
  textsEverywhere: aFlag,
  force: aFlag,
  report: aFunction,
  signal: aSignal,
}

/**
 * Renames people, organizations, repositories and hosts, and writes a new archive or database. Everything else stays as it is,
 * byte for byte: a map of nothing builds the same archive.
 *
 * @param source an open database
 * @param output the file to write: an archive if it ends in `.tar.gz` or `.tgz`, else a database; undefined writes nothing
 * @param map the old and new names, each with the place where it was said
 * @param options a selection, where to look for names in texts, and what becomes of people without a new name
 * @returns what was renamed, and the map that leads back
 * @throws `map-invalid`, `map-collision`, `map-incomplete`, `output-exists`, `output-full`, `output-refused`, and the codes of
 *   `buildArchive`
 * @example
 * const logins = [{ old: 'ada', new: 'ada-lovelace', place: 'by hand' }]
 * await mapDatabase(database, 'new.tar.gz', { hosts: [], logins, repositories: [] })
 */
export async function mapDatabase(
  source: Database,
  output: string | undefined,
  map: IdentityMap,
  options: MapDatabaseOptions = {},
): Promise<MapReport> {
  checkArguments({ source, map }, { source: anOpenDatabase, map: aMap })
  if (output !== undefined) checkArguments({ output }, { output: aPath })
  checkOptions(options, SHAPES)
  const copy = await openWorkingCopy(source, options)
  try {
    await nextTurn(options.signal)
    const report = mapRecords(copy.database, map, options, copy.edited)
    if (output !== undefined) await writeOutput(copy, output, options)
    return report
  } finally {
    copy.close()
  }
}
