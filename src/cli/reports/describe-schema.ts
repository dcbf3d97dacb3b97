import type { Relation, RelationColumn } from '../../database/schema/relation.ts'
import type { Io } from '../command/io.ts'
import { safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { wrap } from '../output/format-columns.ts'
import { type Styles, stylesFor } from '../output/styles.ts'

// The longest name of our own columns. The description of a longer one begins on the next line.
const NAME = 26

/** Tables with their columns for people. */
export function* describeSchema(relations: readonly Relation[], { stdout, env }: Io) {
  const styles = stylesFor(stdout, env)
  const width = stdout.columns || 80
  for (const [index, relation] of relations.entries()) {
    if (index > 0) yield safe`\n`
    yield* describeRelation(relation, styles, width)
  }
}

function* describeRelation(
  { name, type, summary, columns }: Relation,
  styles: Styles,
  width: number,
) {
  const text = wrap(escapeControls(summary), width)
    .map((line) => styles.dim(line))
    .join('\n')
  yield safe`${styles.bold(escapeControls(name))} ${styles.dim(safe`(${escapeControls(type)})`)}\n${text}\n\n`
  const longest = (texts: string[]) => Math.max(0, ...texts.map(({ length }) => length))
  const names = Math.min(NAME, longest(columns.map((column) => column.name)))
  const types = longest(columns.map(typeOf))
  const indent = 2 + names + 2 + types + (types > 0 ? 2 : 0)
  for (const column of columns) {
    const head = [
      escapeControls(column.name).padEnd(names),
      escapeControls(typeOf(column)).padEnd(types),
    ]
    const left = safe`  ${head.filter(Boolean).join('  ')}`
    const lines = wrap(escapeControls(describeColumn(column)), Math.max(24, width - indent))
    const below = safe`\n${safe` `.repeat(indent)}`
    // A longer name has a line of its own.
    const text = safe`${left}${column.name.length > names ? below : safe`  `}${lines.join(below)}`
    // Our own columns follow those of the archive.
    yield safe`${column.name.startsWith('_') ? styles.dim(text) : text}\n`
  }
}

// Constraints do not help readers.
const typeOf = ({ type }: RelationColumn): string => type.split(' ')[0] ?? ''

const describeColumn = ({ description, refersTo, generated }: RelationColumn): string =>
  [description, refersTo && `→ ${refersTo.join(', ')}`, generated && '(derived)']
    .filter(Boolean)
    .join(' ')
