/** Arbitrary records that are almost always plain: as their kind foresees them, and sometimes just not. */

import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../src/records/json/json.ts'
import type { Column, Kind, Members } from '../../src/records/kinds/kind.ts'

// One in a hundred or so: records have many members, and lists of objects with members.
const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 100, arbitrary: usual }, { weight: 1, arbitrary: odd })

const texts = rarely(
  fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '\n',
      '"',
      '\\',
      '\\"',
      '},\n  {',
      '\t\b\f\r',
      '\u007f\u2028',
      'é',
      '🦆',
      '%00',
    ),
  ),
  // Characters that are written with \u, and a lone surrogate.
  fc.constantFrom('\u0000', '\u001f', '\ud800'),
)
const integers = rarely(
  fc.constantFrom(0, -1, 2 ** 40, -(2 ** 40)),
  // Not plain, though some fit into a column.
  fc.constantFrom(1.5, 1e21, Number.MAX_SAFE_INTEGER, 10 ** 15),
)

function valuesOf(column: Column): fc.Arbitrary<JsonValue> {
  switch (column.storage) {
    case 'flag':
      return fc.boolean()
    case 'integer':
      return integers
    case 'json': {
      const { list, members } = column
      if (!list) return members ? objectsOf(members) : fc.constant([])
      const element = isColumn(list.element) ? valuesOf(list.element) : objectsOf(list.element)
      return fc.array(element, { maxLength: 3 })
    }
    default:
      return texts
  }
}

const isColumn = (element: Column | Members): element is Column =>
  typeof element.storage === 'string'

/** Objects with some of the members, in their order. */
const objectsOf = (members: Members): fc.Arbitrary<JsonObject> =>
  some(members, (column) => fc.option(orNull(column), { nil: undefined, freq: 6 }))

const orNull = (column: Column) => fc.option(valuesOf(column), { freq: 4 })

function some(
  members: Members,
  value: (column: Column, name: string) => fc.Arbitrary<JsonValue | undefined>,
): fc.Arbitrary<JsonObject> {
  const values = Object.entries(members).map(([name, column]) =>
    value(column, name).map((value) => [name, value] as const),
  )
  return fc
    .tuple(...values)
    .map((pairs) =>
      Object.fromEntries(
        pairs.filter((pair): pair is [string, JsonValue] => pair[1] !== undefined),
      ),
    )
}

/** Records of a kind, most of them plain. */
export const plainObjects = (kind: Kind): fc.Arbitrary<JsonObject> =>
  some(kind.columns, (column, name) => {
    if (column.optional) return fc.option(orNull(column), { nil: undefined, freq: 1 })
    return name === 'url' ? texts : orNull(column)
  }).map((record) => ({ type: kind.type, ...record }))
