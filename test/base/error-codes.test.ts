import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERRORS, LOSSES, PROBLEMS } from '../../src/base/error-codes.ts'
import { RULE_PROBLEMS } from '../../src/base/rule-codes.ts'
import { everyDay } from '../support/thorough.ts'

const src = join(import.meta.dirname, '../../src')

/** All source code but the lists of codes and what the command line says about each. */
const code = globSync('**/*.ts', { cwd: src })
  .filter((path) => !/^(base\/error-codes|base\/rule-codes|cli\/remedies)\.ts$/.test(path))
  .map((path) => readFileSync(join(src, path), 'utf8'))
  .join('\n')

const isUsed = (name: string) => code.includes(`'${name}'`)

everyDay(1)([
  ['errors', ERRORS],
  ['problems', PROBLEMS],
])('Every code of the %s is used: none is a promise that nothing keeps', (_, codes) => {
  expect(Object.keys(codes).filter((name) => !isUsed(name))).toEqual([])
  expect(Object.keys(codes).length).toBeGreaterThan(20)
})

test('A breach of a rule has the same words whether it stops the work or not', () => {
  for (const [name, words] of Object.entries(RULE_PROBLEMS)) {
    expect([name, ERRORS[name as keyof typeof RULE_PROBLEMS]]).toEqual([name, words])
    expect([name, PROBLEMS[name as keyof typeof RULE_PROBLEMS]]).toEqual([name, words])
  }
})

test('What a salvage loses is a problem', () => {
  expect(LOSSES.filter((name) => !Object.hasOwn(PROBLEMS, name))).toEqual([])
})
