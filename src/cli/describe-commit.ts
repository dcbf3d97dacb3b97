import { type Commit, subjectOf } from '../git/parse-commit.ts'
import { localTimeOf, type Person } from '../git/parse-person.ts'
import { escapeControls, escapeControlsButNewlines } from './output/escape-controls.ts'
import type { Styles } from './output/styles.ts'

/** What is shown of a commit beside itself. */
export interface CommitNames {
  abbreviate(oid: string): string
  /** The refs that lead to it. */
  refsOf(oid: string): readonly string[]
  styles: Styles
}

/** A commit on one line: the beginning of its id, refs, the first line of its message. */
export function oneLine(commit: Commit, { abbreviate, refsOf, styles }: CommitNames): string {
  const oid = styles.yellow(abbreviate(commit.oid))
  return `${oid}${refs(refsOf(commit.oid), styles)} ${escapeControls(subjectOf(commit))}`.trimEnd()
}

/** A commit as `git log` shows it. */
export function describeCommit(commit: Commit, names: CommitNames): string {
  const { abbreviate, refsOf, styles } = names
  const lines = [styles.yellow(`commit ${commit.oid}`) + refs(refsOf(commit.oid), styles)]
  if (commit.parents.length > 1) lines.push(`Merge: ${commit.parents.map(abbreviate).join(' ')}`)
  lines.push(`Author: ${describePerson(commit.author)}`)
  // Who it was taken up by is worth a line where it was somebody else.
  if (describePerson(commit.author) !== describePerson(commit.committer)) {
    lines.push(`Commit: ${describePerson(commit.committer)}`)
  }
  lines.push(`Date:   ${describeDate(commit.author)}`, '')
  return `${[...lines, ...indented(commit.message)].join('\n')}\n`
}

export const describePerson = ({ name, email }: Person): string =>
  escapeControls(`${name} <${email}>`)

/** `2024-05-01 14:00:00 +0200`. */
export const describeDate = (person: Person): string =>
  `${localTimeOf(person)?.slice(0, 19).replace('T', ' ') ?? 'unknown'} ${person.zone}`

/** The lines of a message, moved to the right. */
export const indented = (message: string): string[] =>
  escapeControlsButNewlines(message)
    .replace(/^\n+/, '')
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())

const refs = (names: readonly string[], { cyan }: Styles): string =>
  names.length === 0 ? '' : ` ${cyan(`(${names.map(escapeControls).join(', ')})`)}`
