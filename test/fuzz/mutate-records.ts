import type { Random } from '../bench/random.ts'

type Value = null | boolean | number | string | Value[] | { [name: string]: Value }

/** JSON as it is written, where no value of JavaScript would be printed like that. */
const AS_WRITTEN: readonly string[] = [
  '1e400',
  '-0',
  '1.0',
  '9007199254740993',
  '0.1e-7',
  '"\\ud800"',
  '"\\u0000\\u202e"',
  '{"__proto__":{"x":1},"constructor":2}',
  '{"a":1,"a":2}',
  '{"1":0,"0":1}',
  '{"":""}',
  `${'['.repeat(400)}${']'.repeat(400)}`,
  `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`,
  'null',
  'true',
  '0',
  '""',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '[1,"x",{}]',
  '"javascript:1"',
  `"${'x'.repeat(20_000)}"`,
  '"tarball://root/../../etc/passwd"',
  '"2020-13-99T99:99:99Z"',
  '"0000-01-01T00:00:00Z"',
  '"9999-12-31T23:59:60+14:00"',
  '"http://[::1/\\r\\nX: y"',
]

const NAMES = [
  '__proto__',
  'toString',
  'url',
  'type',
  '_extra',
  '_member_order',
  'rowid',
  'x"; --',
  '0',
  '',
]

/** A text of records in which a few members, values or records are other ones. */
export function mutateRecords(text: string, random: Random): string {
  const records = JSON.parse(text) as Value
  const written: string[] = []
  const odd = (): Value => {
    if (random.chance(0.3)) return structuredClone(random.pick(placesIn(records)).value)
    written.push(random.pick(AS_WRITTEN))
    return `@written ${written.length - 1}@`
  }
  for (let left = 1 + random.skewed(5); left > 0; left--) {
    const places = placesIn(records)
    if (places.length === 0) break
    const { parent, key, value } = random.pick(places)
    const how = random.pick(['drop', 'repeat', 'replace'] as const)
    if (Array.isArray(parent)) {
      const again =
        how === 'drop' ? [] : how === 'repeat' ? [value, structuredClone(value)] : [odd()]
      parent.splice(Number(key), 1, ...again)
    } else if (how === 'drop') delete parent[key]
    else set(parent, how === 'repeat' ? random.pick(NAMES) : key, odd())
  }
  return JSON.stringify(records, null, random.chance(0.5) ? 2 : 0).replace(
    /"@written (\d+)@"/g,
    (_, index) => written[Number(index)] as string,
  )
}

interface Spot {
  parent: Value[] | { [name: string]: Value }
  key: string
  value: Value
}

function placesIn(root: Value): Spot[] {
  const places: Spot[] = []
  const visit = (parent: Value) => {
    if (typeof parent !== 'object' || parent === null) return
    for (const [key, value] of Object.entries(parent)) {
      places.push({ parent, key, value })
      if (places.length < 5000) visit(value)
    }
  }
  visit(root)
  return places
}

const set = (parent: object, key: string, value: Value) =>
  Object.defineProperty(parent, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
