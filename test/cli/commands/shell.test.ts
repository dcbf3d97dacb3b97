import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { evilArchive, smallArchive } from '../../support/archives.ts'
import { inFolder, run, shareFolder } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const small = smallArchive()
const shell = (stdin: string, ...more: string[]) =>
  run(['shell', 'a.tar.gz', ...more], { stdin, env: { MARC_QUERIES: 'own' } })

shareFolder({ 'a.tar.gz': small })

test('runs piped statements in order, including a last one without a semicolon', async () => {
  const script =
    'select 1 as a;\n.mode csv\nselect\n  2 as b; select 3 as c;\n.headers off\nselect 4'
  expect(await shell(script)).toEqual({
    code: 0,
    stderr: '',
    stdout: '[{"a":1}]\nb\n2\nc\n3\n4\n',
  })
})

test('runs statements from the command line, and does not read standard input', async () => {
  const { code, stdout } = await shell('select 1', '.mode raw\nselect 2; select :x', '-p', 'x', '3')
  expect({ code, stdout }).toEqual({ code: 0, stdout: '2\n3\n' })
})

test('ends at the first error with its exit code', THOROUGH, async () => {
  expect(await shell('select 1 as a;\nselect * from isues;\nselect 2;')).toEqual({
    code: 2,
    stdout: '[{"a":1}]\n',
    stderr: 'marc: no such table: isues\nDid you mean issues?\n',
  })
})

test('neither writes nor attaches', THOROUGH, async () => {
  for (const sql of ['delete from issues;', "attach 'x' as x;", 'pragma query_only = 0;']) {
    expect((await shell(sql)).code, sql).toBe(2)
  }
})

describe('commands', () => {
  test('help and quit need no dot', async () => {
    const { stdout } = await shell('.help')
    for (const typed of ['help', 'HELP;', ' help '])
      expect((await shell(typed)).stdout).toBe(stdout)
    for (const typed of ['quit', 'exit;']) {
      expect((await shell(`${typed}\nselect 1;`)).stdout).toBe('')
    }
  })

  test(
    '.tables lists tables with rows and summaries, or those like a pattern',
    THOROUGH,
    async () => {
      expect((await shell('.tables thr%')).stdout).toMatch(
        /^view +rows +summary\n.+\nthreads +\d+ +\S/,
      )
      expect((await shell('.tables')).stdout).toMatch(/\nissues +3 +Issues/)
      const { stdout } = await run(['shell', 'a.tar.gz', '.tables'], {
        tty: 'stdout',
        columns: 60,
        env: { NO_COLOR: '1' },
      })
      const lines = stdout.split('\n').slice(0, -1)
      expect(lines.length).toBeGreaterThan(5)
      expect(lines.filter((line) => line.length > 60)).toEqual([])
    },
  )

  test('.schema shows the CREATE statement', THOROUGH, async () => {
    expect((await shell('.schema threads')).stdout).toMatch(/^CREATE VIEW "?threads"? AS/)
    expect((await shell('.schema')).stdout).toContain('CREATE TABLE "issues"')
  })

  test('.saved lists and runs saved queries', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': small, 'own/mine.sql': '-- Mine?\n-- :a = 7, a number\nSELECT :a AS a' })
    expect((await shell('.saved')).stdout).toMatch(/^ {2}mine +Mine\?$/m)
    expect((await shell('.saved mine\n.saved mine a=8')).stdout).toBe('[{"a":7}]\n[{"a":8}]\n')
  })

  test.each([
    ['to a pipe', '', false],
    ['to a file, from a terminal', '.output tables.txt\n', 'stdout' as const],
  ])('.tables %s are neither cut nor colored', async (_where, before, tty) => {
    const script = `${before}.tables issues`
    const { stdout } = await run(['shell', 'a.tar.gz', script], { tty, columns: 60 })
    const text = before === '' ? stdout : readFileSync('tables.txt', 'utf8')
    expect(text).toMatch(/^issues +3 +Issues\. .+\.$/m)
  })

  test('.output writes to a new file and back to the screen', async () => {
    const script =
      '.output out.csv\n.mode csv\nselect 1 as a;select 2 as b;\n.output\nselect 3 as c;'
    expect((await shell(script)).stdout).toBe('c\n3\n')
    expect(readFileSync('out.csv', 'utf8')).toBe('a\n1\nb\n2\n')
    writeFileSync('there.csv', 'mine')
    const { code, stderr } = await shell('.output there.csv\nselect 1;')
    expect(code).toBe(2)
    expect(stderr).toMatch(/^marc: there\.csv: there is a file with this name\n/)
    expect(readFileSync('there.csv', 'utf8')).toBe('mine')
  })

  test('.help lists them, .quit ends', async () => {
    const { stdout } = await shell('.help\n.quit\nselect 1;')
    for (const name of ['tables', 'schema', 'mode', 'headers', 'output', 'saved', 'quit']) {
      expect(stdout).toContain(`\n  .${name} `.replace('\n  .tables', '  .tables'))
    }
    expect(stdout).not.toContain('[{')
  })

  everyDay(1)([
    ['.tabels', 'there is no command ".tabels"\nDid you mean .tables?'],
    ['.frobnicate', 'there is no command ".frobnicate"\nSee: .help'],
    ['.mode cvs', 'there is no format "cvs"\nDid you mean csv?'],
    ['.schema isues', 'there is no table "isues"\nDid you mean issues?'],
    ['.headers maybe', '.headers takes on or off'],
    ['.saved reviewer', 'there is no saved query "reviewer"\nDid you mean reviewers?'],
    ['.saved reviewers rep=x', 'no parameter "rep"\nDid you mean repo?'],
    ['.output no/such/folder', 'marc: no/such/folder: ENOENT'],
  ])('%s is refused', async (line, message) => {
    const { code, stdout, stderr } = await shell(line)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})

test('shows no control characters of an archive, in any mode of a terminal', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': evilArchive() })
  for (const mode of ['table', 'json', 'ndjson', 'csv', 'tsv', 'markdown', 'raw']) {
    const about = mode === 'table' ? '.tables\n.schema\n' : ''
    const script = `${about}.mode ${mode}\nselect * from users; select path from files`
    const { code, stdout } = await run(['shell', 'a.tar.gz', script], {
      tty: 'stdout',
      env: { NO_COLOR: '1' },
    })
    expect(code).toBe(0)
    expect(stdout.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  }
})
