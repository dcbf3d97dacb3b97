import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, commandsOf, comparable, fitToDocument } from './read-document.ts'
import { ROOT } from './run-command.ts'
import { COLUMNS, openWorkspace, splitScript, type Workspace } from './run-document.ts'
import { THOROUGH } from './thorough.ts'

describe('the blocks of a document', () => {
  test('have a language, a text and a line', () => {
    const markdown = 'a\n\n```sh\nmarc\n\n```\n\n- b\n\n  ~~~~ts title\n  x()\n    y()\n  ~~~~\n'
    expect(blocksOf(markdown)).toEqual([
      { language: 'sh', text: 'marc\n', line: 4 },
      { language: 'ts', text: 'x()\n  y()', line: 11 },
    ])
  })

  test('may hold shorter fences', () => {
    expect(blocksOf('````md\n```sh\nx\n```\n````')).toEqual([
      { language: 'md', text: '```sh\nx\n```', line: 2 },
    ])
  })

  test('are closed', () => {
    expect(() => blocksOf('a\n```sh\nb')).toThrow('line 2')
  })
})

describe('the commands of a block', () => {
  test('are followed by their output', () => {
    expect(commandsOf('$ marc a \\\n    --b\nout\n\nput\n\n$ c "\n> d"\n')).toEqual([
      { text: 'marc a \\\n    --b', output: 'out\n\nput' },
      { text: 'c "\nd"', output: '' },
    ])
  })

  test('are a script without $', () => {
    expect(commandsOf('# why\nmarc a\nmarc b')).toEqual([{ text: '# why\nmarc a\nmarc b' }])
  })

  test('that are not run name scripts that must exist', () => {
    expect(
      splitScript('npm ci && marc b\nnpm test\nnpm run bench -- 3\ngit clone x\ncd x\nmarc a'),
    ).toEqual({
      run: 'marc b\nmarc a',
      scripts: ['test', 'bench'],
    })
  })
})

describe('an output fits', () => {
  test.each([
    ['a\nb\n', 'a\nb'],
    ['a  \nb', 'a\nb'],
    ['a\nb\nc\nd', 'a\n…\nd'],
    ['a\nb\nc\nd', '...\nd'],
    ['a\nb\nc\nd', 'a\n…'],
    ['a\nd', 'a\n…\nd'],
    ['a\nb\nc\nd\ne', 'a\n…\nc\n…'],
    ['ready after 166 ms.', 'ready after 2.1 s.'],
    ['{"seconds":0.123}', '{"seconds":4}'],
    ['(x) [y] $', '(x) [y] $'],
    ['', ''],
    ['', '…'],
    ['ab: cd\ne', 'ab: …\ne'],
  ])('%j as %j', (printed, expected) => {
    expect(fitToDocument(printed, expected)).toBe(comparable(expected))
  })

  test.each([
    ['a\nb', 'a'],
    ['a\nx', 'a\n…\nd'],
    ['ab\nd', 'a\n…\nd'],
    ['3 issues', '4 issues'],
    ['abc', 'b…'],
    ['axb', 'a.b'],
    ['', '…\na'],
  ])('not %j as %j', (printed, expected) => {
    expect(fitToDocument(printed, expected)).toBe(printed)
  })
})

describe('a workspace', () => {
  let workspace: Workspace
  beforeAll(() => {
    workspace = openWorkspace()
  })
  afterAll(() => workspace.close())

  test('knows marc and npx marc, and shows what a terminal would', THOROUGH, async () => {
    const sql = `select printf('%.*c', 200, 'x') as long`
    const { code, shown } = await workspace.shell(`npx marc query samples/hello.tar.gz "${sql}"`)
    expect(code).toBe(0)
    expect(shown.split('\n')[2]).toHaveLength(COLUMNS)
    const spawned = await workspace.shell(`true; npx marc query samples/hello.tar.gz "${sql}"`)
    expect(spawned).toEqual({ code, shown })
    const piped = await workspace.shell('marc query samples/hello.tar.gz "select 1 as x" | cat')
    expect(piped.shown).toBe('[{"x":1}]\n')
  })

  test('shows errors, and fails with them', THOROUGH, async () => {
    const { code, shown } = await workspace.shell('marc lod\necho never')
    expect({ code, shown }).toEqual({
      code: 2,
      shown: 'marc: there is no command "lod"\nDid you mean marc load?\n',
    })
  })

  test('keeps what it makes to itself', THOROUGH, async () => {
    await workspace.shell('touch samples/made && cp package.json made.db')
    expect(existsSync(join(workspace.folder, 'samples/made'))).toBe(true)
    expect(existsSync(join(ROOT, 'samples/made'))).toBe(false)
    expect(existsSync(join(ROOT, 'made.db'))).toBe(false)
  })

  test('runs programs that use the library', THOROUGH, async () => {
    const text = "import { roleOf } from 'migration-archive'\nconsole.log(roleOf('urls.json').role)"
    expect(await workspace.program(text)).toEqual({ code: 0, shown: 'urls\n' })
  })
})
