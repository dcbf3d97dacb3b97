import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NameTable } from '../../src/records/name-table.ts'

const quoted = (name: string) => Buffer.from(`"${name}"`)

describe('A table of names', () => {
  test('numbers each name once, those it was made with first', () => {
    const short = fc.string({ maxLength: 20 })
    fc.assert(
      fc.property(fc.uniqueArray(short, { maxLength: 50 }), fc.array(short), (given, others) => {
        const table = new NameTable(given.map((name) => Buffer.from(name).toString('hex')))
        const known = given.map((name) => Buffer.from(name).toString('hex'))
        for (const name of others.map((name) => Buffer.from(name).toString('hex'))) {
          const number = table.numberOf(quoted(name), 0, name.length + 2, 0)
          if (!known.includes(name)) known.push(name)
          expect(number).toBe(known.indexOf(name))
        }
      }),
    )
  })

  test('foresees that a name comes after the same one as before', () => {
    const table = new NameTable(['url', 'user'])
    const bytes = Buffer.from('"user":1,"users":2')
    const user = table.numberOf(bytes, 0, 6, 0)
    expect(table.next(0)).toBe(user)
    expect(table.endOfNext(0, bytes, 0)).toBe(6)
    expect(table.endOfNext(0, bytes, 9)).toBe(-1)
    expect(table.endOfNext(0, bytes.subarray(0, 5), 0)).toBe(-1)
  })

  test('keeps names, not the bytes that they stood in', () => {
    const table = new NameTable([])
    const bytes = quoted('body')
    const body = table.numberOf(bytes, 0, bytes.length, 0)
    bytes.fill(0)
    expect(table.numberOf(quoted('body'), 0, 6, 0)).toBe(body)
  })

  test('has room for a thousand names that are not long, however they collide', () => {
    const table = new NameTable([])
    const names = Array.from({ length: NameTable.MOST }, (_, i) => quoted(`${i}`.padEnd(90)))
    const numbers = () => names.map((name) => table.numberOf(name, 0, name.length, 0))
    expect(numbers()).toEqual([...names.keys()])
    expect(numbers()).toEqual([...names.keys()])
    expect(table.numberOf(quoted('one more'), 0, 10, 0)).toBe(-1)
    expect(new NameTable([]).numberOf(quoted('n'.repeat(100)), 0, 102, 0)).toBe(-1)
  })
})
