import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { toRow } from '../../database/rows/to-row.ts'
import { deriveColumn } from '../../database/schema/derive-column.ts'
import type { SqlValue } from '../../database/schema/row-layout.ts'
import { isObject, type JsonObject, type JsonValue } from '../../records/json/json.ts'
import type { Kind } from '../../records/kinds/kind.ts'
import { RAW_COLUMN, typeOf } from '../column-types.ts'
import { FORMS } from '../read-back/forms.ts'
import type { PositionedRecord } from '../sources/record-source.ts'
import type { ExportTable } from '../table.ts'
import { columnText, heldText, holdsNull, nullText, type TextRules } from './column-text.ts'

/** The texts of the columns of a row. */
export type RowTexts = (string | null)[]

/** A row that a table must have. */
export interface ExpectedTexts {
  readonly texts: RowTexts
  /** The names of the members that are in `_extra`. */
  readonly extraMembers: readonly string[]
}

/**
 * Makes the rows that a table must have, as texts, from the records themselves: another way than that of the export.
 * Derived columns are computed by SQLite.
 */
export function createExpectedRows(
  { kind: known, columns }: ExportTable,
  archive: string,
  { rules, scratch }: { rules: TextRules; scratch: Database },
): (placed: PositionedRecord) => ExpectedTexts {
  const kind = known as Kind
  const members = Object.entries(kind.columns).map(([name, column]) => {
    const type = typeOf(column)
    const { indexed } = rules.dialect
    const longest = indexed?.isIndexed(name) ? indexed.bytes : undefined
    return { name, type, longest, optional: column.optional, isTold: holdsNull(type, rules) }
  })
  const positions = new Map(members.map(({ name }, position) => [name, position]))
  const isDerived = columns.some(({ name }) => name === 'type')
  const isRaw = columns.at(-1)?.name === RAW_COLUMN.name
  const derive = isDerived ? createDerivation(kind, scratch) : () => []
  const held = (text: string) => heldText(text, rules)
  const form = FORMS[rules.lists]
  const NAME = { is: 'text' } as const
  return ({ record, entry, index }) => {
    const row: RowTexts = members.map(({ type }) => nullText(type, rules))
    const extra: [string, JsonValue][] = []
    for (const [name, value] of Object.entries(record)) {
      if (name === 'type' && value === kind.type) continue
      const position = positions.get(name)
      const member = position === undefined ? undefined : members[position]
      const { text, exact } = member
        ? columnText(member.type, value, rules, member.longest)
        : { text: null, exact: false }
      if (position !== undefined) row[position] = text
      if (!exact) extra.push([name, value])
    }
    const rest = new Map(extra)
    const isShown = ({ name, optional, isTold }: (typeof members)[number], i: number) =>
      !optional || !isTold || row[i] !== null || rest.has(name)
    const usual = [
      'type',
      ...members.filter(isShown).map(({ name }) => name),
      ...extra.map(([name]) => name).filter((name) => name !== 'type' && !positions.has(name)),
    ]
    const names = Object.keys(record)
    const isUsual =
      usual.length === names.length &&
      usual.every((name, i) => name === names[i]) &&
      !members.some(({ name, optional }) => optional && record[name] === null)
    const order = names.length === 0 ? ['"'] : names.map(nameText)
    row.push(
      ...derive(record).map((text) => (text === null ? null : held(text))),
      extra.length === 0 ? null : JSON.stringify(Object.fromEntries(extra)),
      isUsual
        ? nullText({ is: 'list', element: NAME }, rules)
        : form.list(order.map((name) => form.part(NAME, name))),
      held(entry),
      String(index),
      held(archive),
      ...(isRaw ? [JSON.stringify(record)] : []),
    )
    return { texts: row, extraMembers: extra.map(([name]) => name) }
  }
}

/** A name in `_member_order`: one that a target might not hold, or that looks like JSON, is JSON. */
const nameText = (name: string) =>
  name.startsWith('"') || name.includes('\0') || !name.isWellFormed() ? JSON.stringify(name) : name

/** Computes derived columns and the type with the expressions of the database. */
function createDerivation(kind: Kind, scratch: Database): (record: JsonObject) => RowTexts {
  const names = Object.keys(kind.columns)
  const stored = names.map((name) => `? AS ${quoteName(name)}`)
  // A derived column may follow from another one. CAST gives it the type that its column has.
  const from = Object.entries(kind.derived).reduce(
    (inner, [name, { from, storage }]) =>
      `SELECT *, CAST(${deriveColumn(from)} AS ${storage === 'integer' ? 'INTEGER' : 'TEXT'})
       AS ${quoteName(name)} FROM (${inner})`,
    `SELECT ${stored.join(', ') || '1'}`,
  )
  const derived = Object.keys(kind.derived).map(quoteName)
  const statement =
    derived.length === 0
      ? undefined
      : scratch
          .prepare(`SELECT ${derived.join(', ')} FROM (${from})`)
          .raw()
          .safeIntegers()
  return (record) => {
    const row = toRow(kind, record)
    const values = names.map((name, i) => boundValue(row[i] ?? null, record[name]))
    const found = statement ? (statement.get(...values) as SqlValue[]) : []
    const texts = found.map((value) => (value === null ? null : String(value)))
    const isReplaced = names.some((name, i) => values[i] !== row[i] && hasNul(record[name]))
    const derived = isReplaced
      ? texts.map((text) => text?.replaceAll(STAND_IN, '\0') ?? null)
      : texts
    return [...derived, typeText(kind, record)]
  }
}

/** A character in place of U+0000, at which the functions of SQLite stop. */
const STAND_IN = '\u{10fffd}'
const hasNul = (value: JsonValue | undefined) => JSON.stringify(value ?? null).includes('\\u0000')

/** The value of a column for SQLite. A number would become a float, which has another text. */
function boundValue(stored: SqlValue, value: JsonValue | undefined): SqlValue {
  if (typeof stored === 'number') return BigInt(stored)
  if (typeof stored !== 'string') return stored
  if (!isObject(value)) return stored.replaceAll('\0', STAND_IN)
  // A lone surrogate is not text.
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [
    name,
    typeof member !== 'string'
      ? member
      : member.isWellFormed()
        ? member.replaceAll('\0', STAND_IN)
        : null,
  ])
  return JSON.stringify(Object.fromEntries(members))
}

function typeText(kind: Kind, { type }: JsonObject): string {
  if (typeof type === 'string') return type.isWellFormed() ? type : kind.type
  if (typeof type === 'boolean') return String(Number(type))
  return type === undefined || type === null ? kind.type : JSON.stringify(type)
}
