import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseConfig } from '../../../src/git/parse/parse-config.ts'
import { folderOf } from '../../support/folder.ts'
import { runProgram } from '../../support/run-program.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** What Git reads from a configuration: `name\nvalue` and `name` without an equals sign; null if it refuses the file. */
function readByGit(folder: string, text: string): string[] | null {
  const path = join(folder, 'config')
  writeFileSync(path, text)
  const { status, stdout } = runProgram('git', ['config', '--file', path, '--list', '-z'])
  return status === 0 ? stdout.toString().split('\0').slice(0, -1) : null
}

function readByUs(text: string): string[] | null {
  const values = parseConfig(text)
  if (typeof values === 'number') return null
  return values.map(({ name, value }) => (value === null ? name : `${name}\n${value}`))
}

const TEXTS = [
  '',
  '\ufeff[a]\nb=1',
  '[a]b=1\n[a]  c\n',
  '[A "B c"]\nD = x  y ; z\r\n',
  '[a.B]\nc="x ; y" # z',
  '[a]\nb = one \\\n  two\n',
  '[a]\nb = "1\\n\\t\\"\\\\" \n',
  '[a "x\\"y\\\\z\\w"]\nb=',
  '[a]\nb = \\q',
  '[a]\nb = "open',
  '[a]\nb = c\\',
  '[a b]\n',
  '[a',
  '[a "b]\n',
  '[a]\n1b=2',
  '[a]\nb_c=2',
  '[a]\nb c',
]

test('A configuration is read as Git reads it', async () => {
  const folder = await folderOf()
  for (const text of TEXTS) expect(readByUs(text), text).toEqual(readByGit(folder, text))
})

test('The line that Git refuses is named', () => {
  expect(parseConfig('[core]\n\tbare = true\n[oops\n')).toBe(3)
  expect(parseConfig('[core]\n\tbare = "true\n')).toBe(2)
})

const PIECES = [
  '[',
  ']',
  '"',
  '\\',
  '=',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '#',
  ';',
  '.',
  '-',
  '_',
  'é',
  '1',
].concat(['[core]\n', '[a "b"]', 'name', ' = ', 'value', '\\n', '\\\n', '"x y"'])
const pieces = fc.constantFrom(...PIECES)

test('Any configuration is read as Git reads it', { ...THOROUGH, timeout: 300_000 }, async () => {
  const folder = await folderOf()
  // Git keeps a tab within a value as its manual says; older versions, such as 2.39, read it as a space.
  const keepsTabs = readByGit(folder, '[a]\nb = x\ty')?.[0] === 'a.b\nx\ty'
  const comparable = (values: string[] | null) =>
    keepsTabs ? values : values?.map((value) => value.replaceAll('\t', ' '))
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
      const text = `[core]\n${parts.join('')}`
      expect(comparable(readByUs(text))).toEqual(comparable(readByGit(folder, text)))
    }),
    { numRuns: 500 },
  )
})
