import type { GrowingText } from '../../../base/growing-text.ts'
import type { ExportColumn, ExportType } from '../../column-types.ts'
import type { ExportRow } from '../../table.ts'
import type { TypedValue } from '../../to-typed.ts'
import { jsonOf } from '../nested-json.ts'

/** Adds a row in the text form of COPY, without the end of its line. */
export function addCopyRow(
  text: GrowingText,
  columns: readonly ExportColumn[],
  row: ExportRow,
): void {
  for (let i = 0; i < columns.length; i++) {
    if (i > 0) text.add('\t')
    const value = row[i] as TypedValue
    if (value === null) text.add('\\N')
    else text.add(escapeField(fieldOf((columns[i] as ExportColumn).type, value)))
  }
}

const SPECIAL = /[\\\n\r\t\0]/
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  // Only derived columns have it; the others have lost it on the way.
  '\0': '',
}

const escapeField = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[\\\n\r\t\0]/g, (found) => ESCAPES[found] as string) : text

function fieldOf(type: ExportType, value: TypedValue): string {
  switch (type.is) {
    case 'time':
      return new Date(value as number).toISOString()
    case 'list':
      return type.element.is === 'struct'
        ? jsonOf(type, value)
        : `{${(value as TypedValue[]).map(elementOf).join()}}`
    case 'struct':
      return jsonOf(type, value)
    default:
      return String(value)
  }
}

const elementOf = (value: TypedValue): string => {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value)
}
