import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CODES } from './codes.ts'
import { GZIP_CASES } from './gzip-cases.ts'
import { JSON_CASES } from './json-cases.ts'
import { REFERENCE_CASES } from './reference-cases.ts'
import { TAR_CASES } from './tar-cases.ts'

const TESTS = join(import.meta.dirname, '..')

// The name of a test, which begins with one code or several. The cases of archives are named by their code.
const TITLE =
  /(?:\b(?:test|it|describe)|\]?\))(?:\.\w+)?\(\s*['"`]((?:[TJFAGPQDM]\d+, )*[TJFAGPQDM]\d+): /g

const titled = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .flatMap((name) => [...readFileSync(join(TESTS, name), 'utf8').matchAll(TITLE)])
  .flatMap(([, codes = '']) => codes.split(', '))
const cases = [...TAR_CASES, ...GZIP_CASES, ...JSON_CASES, ...REFERENCE_CASES]
const shown = new Set([...titled, ...cases.map(({ code }) => code)])

test.each(Object.keys(CODES))('%s has a test', (code) => {
  expect(shown).toContain(code)
})

test('every code that a test names is in the list', () => {
  expect(Object.keys(CODES)).toEqual(expect.arrayContaining([...shown]))
})
