import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Loss } from '../../../src/records/json/lossless-assembler.ts'
import { parseElements } from '../../../src/records/json/parse-elements.ts'
import { parseLossless } from '../../../src/records/json/parse-lossless.ts'
import { jsonTexts } from '../../support/json-texts.ts'
import { runs } from '../../support/property-runs.ts'
import { THOROUGH } from '../../support/thorough.ts'

const toText = (bytes: Buffer) => bytes.toString()

/** The elements parsed part by part, and the losses, as JSON, so that the text of numbers counts. */
function parse(text: string, size?: number) {
  const lost: Loss[] = []
  const options = {
    around: 1,
    lose: ({ path, ...loss }: Loss) => void lost.push({ path, ...loss } as Loss),
  }
  const parts = [...parseElements(Buffer.from(text), toText, options, size)]
  return { parts, elements: JSON.stringify(parts.flat()), lost: JSON.stringify(lost) }
}

const ISSUE = '{"type":"issue","n":1}'

describe('parseElements', () => {
  test('parses a large array part by part', () => {
    const text = `[${Array(5000).fill(ISSUE).join(',')}]`
    const { parts, elements } = parse(text)
    expect(elements).toBe(text)
    const records = Math.floor((32 * 1024) / (ISSUE.length + 1))
    expect(parts.slice(0, -1).every(({ length }) => Math.abs(length - records) <= 1)).toBe(true)
    expect(parts.length).toBe(Math.ceil(5000 / records))
  })

  test(
    'gives the same as all at once, whatever the records, their form and the size of a part',
    THOROUGH,
    () => {
      // The last is a record in a record, which begins as one of the file does.
      const member = fc.oneof(jsonTexts, fc.constant(ISSUE), fc.constant(`[${ISSUE} , ${ISSUE}]`))
      const records = fc.array(member, { maxLength: 12 })
      const form = fc.constantFrom(
        (values: string[]) => values.map((value) => `{"type":"issue","n":${value}}`).join(','),
        (values: string[]) =>
          values.map((value) => `\n  {\n    "type": "issue",\n    "n": ${value}\n  }`).join(','),
        (values: string[]) =>
          values.map((value) => `{"type":"issue","a":1,"a":${value}}`).join(','),
      )
      const size = fc.integer({ min: 1, max: 200 })
      fc.assert(
        fc.property(records, form, size, (values, print, size) => {
          const text = `[${print(values)}]`
          const whole = parse(text, Number.POSITIVE_INFINITY)
          expect(whole.elements).toBe(JSON.stringify(parseLossless(text)))
          const { elements, lost } = parse(text, size)
          expect({ elements, lost }).toEqual({ elements: whole.elements, lost: whole.lost })
        }),
        { numRuns: runs(500) },
      )
    },
  )

  test('does not cut where a text looks like the end of a record', () => {
    const text = `[${ISSUE},{"type":"issue","body":"},{\\"type\\":\\"issue\\""},${ISSUE}]`
    expect(parse(text, 30).elements).toBe(text)
  })

  test('parses the rest at once where a record holds one that begins the same', () => {
    const nested = `{"type":"issue","list":[${Array(9).fill(ISSUE).join(',')}]}`
    const { parts, elements } = parse(`[${ISSUE},${nested},${ISSUE}]`, 30)
    expect(elements).toBe(`[${ISSUE},${nested},${ISSUE}]`)
    expect(parts.map(({ length }) => length)).toEqual([1, 2])
  })

  test('reports the position of damage in the whole text', () => {
    const text = `[${Array(50).fill(ISSUE).join(',')},{"type":"issue","n":tru}]`
    expect(() => parse(text, 100)).toThrow(messageOf(() => JSON.parse(text)))
  })
})

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('expected an error')
}
