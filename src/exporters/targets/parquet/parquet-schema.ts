import type { SchemaElement } from 'hyparquet'
import type { ExportType } from '../../column-types.ts'

/** A column as an element of a Parquet schema, followed by its nested columns. */
export function elementsOf(name: string, type: ExportType, isNested = false): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const
  switch (type.is) {
    case 'flag':
      return [{ ...optional, type: 'BOOLEAN' }]
    case 'integer':
      return [{ ...optional, type: 'INT64' }]
    case 'time':
      return [
        {
          ...optional,
          type: 'INT64',
          converted_type: 'TIMESTAMP_MILLIS',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
        },
      ]
    case 'json':
      if (isNested) return elementsOf(name, { is: 'text' })
      // DuckDB recognizes JSON only by the converted type of a column.
      return [
        { ...optional, type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
      ]
    case 'text':
      return [
        {
          ...optional,
          type: 'BYTE_ARRAY',
          converted_type: 'UTF8',
          logical_type: { type: 'STRING' },
        },
      ]
    case 'list':
      return [
        { ...optional, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        ...elementsOf('element', type.element, true),
      ]
    case 'struct':
      return [
        { ...optional, num_children: type.members.length },
        ...type.members.flatMap((member) => elementsOf(member.name, member.type, true)),
      ]
  }
}
