import { selectFiles, selectOtherFiles } from '../database/contents/list-files.ts'
import type { Database } from '../database/open-database.ts'
import { orderOf } from '../database/record-files/place-records.ts'
import { isEverything, selectRecords } from '../database/rows/select-records.ts'
import { withoutSelection } from '../database/rows/selection.ts'
import { type BuildOptions, isPartial } from './build-options.ts'
import { cutReferences, refuseCutReferences } from './cut-references.ts'
import { withArchiveKinds } from './documented-kinds.ts'

/**
 * Puts the chosen records and files into temporary tables of a snapshot. Returns the options, without the selection if it
 * leaves nothing out.
 */
export function applySelection(database: Database, options: BuildOptions): BuildOptions {
  if (!isPartial(options)) return options
  const { tables } = orderOf(database)
  const selection = withArchiveKinds(options, tables)
  selectRecords(database, tables, selection)
  const isRestricted =
    selection.withoutRoles !== undefined || selection.archiveKinds === 'documented'
  if (!isRestricted && isEverything(database, tables)) {
    return withoutSelection(options)
  }
  if (options.not) {
    if (options.cutReferences) cutReferences(database, tables)
    else refuseCutReferences(database, tables, options)
  }
  if (options.files === false) return options
  if (options.not) selectOtherFiles(database, tables)
  else {
    const { withoutRoles } = selection
    selectFiles(database, tables, { git: hasGit(selection), withoutRoles })
  }
  return options
}

/** Whether Git data is wanted: a selection by kind has it with repositories. */
export const hasGit = ({ kinds, not, withoutRoles }: BuildOptions): boolean =>
  (kinds === undefined || not === true || kinds.includes('repositories')) &&
  withoutRoles?.includes('git') !== true
