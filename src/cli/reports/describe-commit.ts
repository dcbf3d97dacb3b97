import type { Database } from '../../database/open-database.ts'
import { createAbbreviator } from '../../git/objects/abbreviate-id.ts'
import type { Repository } from '../../git/open-repository.ts'
import { type Commit, subjectOf } from '../../git/parse/parse-commit.ts'
import { localTimeOf, type Person } from '../../git/parse/parse-person.ts'
import { readRefs } from '../../git/refs/read-refs.ts'
import { createRefNames } from '../../git/revisions/resolve-revision.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { cutToWidth, displayWidth } from '../output/display-width.ts'
import { escapeControls, escapeControlsButNewlines } from '../output/escape-controls.ts'
import { PLAIN_STYLES, type Styles, stylesFor } from '../output/styles.ts'

/** The names shown with a commit. */
export interface CommitNames {
  abbreviate(oid: string): string
  /** The refs that point to it. */
  refsOf(oid: string): readonly string[]
  styles: Styles
  /** Columns of the terminal, if it is one. */
  columns?: number | undefined
}

// Columns of a subject that are shown even after many refs.
const LEAST = 20

/** A commit on one line: abbreviated ID, refs, subject. */
export function oneLine(commit: Commit, names: CommitNames): SafeText {
  const { abbreviate, refsOf, styles, columns = Number.POSITIVE_INFINITY } = names
  const [oid, leading] = [escapeControls(abbreviate(commit.oid)), refsOf(commit.oid)]
  const taken = displayWidth(`${oid}${refs(leading, PLAIN_STYLES)} `)
  const subject = escapeControls(subjectOf(commit))
  const shown = cutToWidth(subject, Math.max(LEAST, columns - taken))
  return safe`${styles.yellow(oid)}${refs(leading, styles)} ${shown}`.trimEnd()
}

/** A commit as `git log` shows it. */
export function describeCommit(commit: Commit, names: CommitNames): SafeText {
  const { abbreviate, refsOf, styles } = names
  const oid = styles.yellow(safe`commit ${escapeControls(commit.oid)}`)
  const lines = [safe`${oid}${refs(refsOf(commit.oid), styles)}`]
  if (commit.parents.length > 1) {
    lines.push(safe`Merge: ${escapeControls(commit.parents.map(abbreviate).join(' '))}`)
  }
  lines.push(safe`Author: ${describePerson(commit.author)}`)
  // The committer is shown only if it is not the author.
  if (describePerson(commit.author) !== describePerson(commit.committer)) {
    lines.push(safe`Commit: ${describePerson(commit.committer)}`)
  }
  lines.push(safe`Date:   ${describeDate(commit.author)}`, safe``)
  return safe`${[...lines, ...indented(commit.message)].join('\n')}\n`
}

export const describePerson = ({ name, email }: Person): SafeText =>
  escapeControls(`${name} <${email}>`)

/** `2024-05-01 14:00:00 +0200`. */
export const describeDate = (person: Person): SafeText =>
  escapeControls(
    `${localTimeOf(person)?.slice(0, 19).replace('T', ' ') ?? 'unknown'} ${person.zone}`,
  )

/** The lines of a message, indented. */
export const indented = (message: string): SafeText[] =>
  escapeControlsButNewlines(message)
    .replace(/^\n+/, '')
    .trimEnd()
    .split('\n')
    .map((line) => safe`    ${line}`.trimEnd())

const refs = (names: readonly string[], { cyan }: Styles): SafeText =>
  names.length === 0 ? safe`` : safe` ${cyan(safe`(${names.map(escapeControls).join(', ')})`)}`

/** The names and styles for the commits of a repository. */
export const namesOf = (
  { name, objects }: Repository,
  database: Database,
  { stdout, env }: Io,
): CommitNames => ({
  abbreviate: createAbbreviator(objects),
  refsOf: createRefNames(objects, readRefs(database, name)),
  styles: stylesFor(stdout, env),
  columns: stdout.isTTY ? stdout.columns : undefined,
})
