import { chooseFiles, chooseOtherFiles } from '../database/contents/list-files.ts'
import type { Database } from '../database/open-database.ts'
import { orderOf } from '../database/record-files/place-records.ts'
import { withoutSelection } from '../database/rows/choice.ts'
import { chooseRecords, isEverything } from '../database/rows/choose-records.ts'
import { type BuildOptions, isSelection } from './build-options.ts'
import { cutReferences, refuseCutReferences } from './cut-references.ts'
import { withArchiveKinds } from './documented-kinds.ts'

/**
 * Puts the chosen records and files into temporary tables of a snapshot. Returns the options, without the selection if it
 * leaves nothing out.
 */
export function selectRecords(database: Database, options: BuildOptions): BuildOptions {
  if (!isSelection(options)) return options
  const { tables } = orderOf(database)
  const choice = withArchiveKinds(options, tables)
  chooseRecords(database, tables, choice)
  const isRestricted = choice.withoutRoles !== undefined || choice.archiveKinds === 'documented'
  if (!isRestricted && isEverything(database, tables)) {
    return withoutSelection(options)
  }
  if (options.not) {
    if (options.cutReferences) cutReferences(database, tables)
    else refuseCutReferences(database, tables, options)
  }
  if (options.files === false) return options
  if (options.not) chooseOtherFiles(database, tables)
  else {
    const { withoutRoles } = choice
    chooseFiles(database, tables, { git: hasGit(choice), withoutRoles })
  }
  return options
}

/** Whether Git data is wanted: a selection by kind has it with repositories. */
export const hasGit = ({ kinds, not, withoutRoles }: BuildOptions): boolean =>
  (kinds === undefined || not === true || kinds.includes('repositories')) &&
  withoutRoles?.includes('git') !== true
