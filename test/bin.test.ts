import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../src/base/version.ts'
import { SIGNAL_EXITS } from '../src/cli/command/exit-codes.ts'
import { smallArchive } from './support/archives.ts'
import { inFolder, runBinary, runShell, start } from './support/run-command.ts'
import { everyDay, THOROUGH } from './support/thorough.ts'

test('prints results, and ends with the exit code of the command', THOROUGH, async () => {
  inFolder()
  const [version, mistyped] = await Promise.all([runBinary(['--version']), runBinary(['lod'])])
  expect(version).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' })
  expect(mistyped).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('no command "lod"'),
  })
})

describe('a reader that goes away', () => {
  const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n'

  test(
    'P5: ends a query that never would, quietly, and of an archive on standard input',
    THOROUGH,
    async () => {
      inFolder({ 'a.tar.gz': smallArchive() })
      const line = `cat a.tar.gz | marc query - "${endless}" --csv | head -n 2; echo "\${PIPESTATUS[1]}"`
      expect(await runShell(line)).toEqual({ code: 0, stdout: 'i\n1\n0\n', stderr: '' })
    },
  )

  test('P5: of messages ends nothing', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const { stdout } = await runShell('marc lod 2> >(exec 0<&-; true); echo $?')
    expect(stdout).toBe('2\n')
  })
})

test('loads an archive from standard input', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': smallArchive() })
  const { code, stdout, stderr } = await runShell('cat a.tar.gz | marc load - -o x.db && ls')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^standard input\n[\s\S]+\na\.tar\.gz\nx\.db\n$/)
})

test('does not wait for standard input that nobody asked for', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': smallArchive() })
  const { child, ended } = start(['inspect', 'a.tar.gz'])
  expect((await ended).code).toBe(0)
  child.stdin.destroy()
})

describe('an interrupt', () => {
  everyDay(1)(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'P5: in the middle of an archive gives the code of its signal and leaves nothing behind: %s',
    async (signal) => {
      inFolder()
      const { child, ended } = start(['load', '-', '-o', 'x.db'])
      child.stdin.write(smallArchive().subarray(0, 200)) // and no more ever comes
      while (!readdirSync('.').some((name) => name.includes('.partial'))) await soon()
      expect(readdirSync('.')).not.toContain('x.db')
      child.kill(signal)
      const { code, stdout, stderr } = await ended
      expect({ code, stdout, stderr }).toEqual({
        code: SIGNAL_EXITS[signal],
        stdout: '',
        stderr: 'marc: interrupted\nNothing was changed.\n',
      })
      expect(readdirSync('.')).toEqual([])
    },
  )

  test('P5: ends a query that never would', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const sql = 'with recursive n(i) as (select 1 union all select 1 from n) select max(i) from n'
    const { child, ended } = start(['query', 'a.tar.gz', sql])
    while (
      !existsSync('.cache/migration-archive') ||
      !readdirSync('.cache/migration-archive').some((name) => name.endsWith('.db'))
    )
      await soon()
    await soon(500)
    child.kill('SIGINT')
    await ended
    expect(child.signalCode).toBe('SIGINT') // which a shell shows as 130
  })
})

everyDay(1)(['22.14.0', '18.20.0'])(
  'says on Node.js %s what it needs, and loads nothing',
  async (version) => {
    inFolder()
    const script = `Object.defineProperty(process.versions, 'node', { value: '${version}' })
    process.on('exit', () => console.log(process.report.getReport().sharedObjects.filter((file) => file.endsWith('.node')).length))`
    const old = `data:text/javascript,${encodeURIComponent(script)}`
    expect(await runBinary(['query', 'x', 'select 1'], { node: ['--import', old] })).toEqual({
      code: 2,
      stdout: '0\n',
      stderr: `marc: Node.js 22.15 or newer is needed, this is ${version}.\nInstall a newer one.\n`,
    })
  },
)

const soon = (milliseconds = 5) => new Promise((done) => setTimeout(done, milliseconds))
