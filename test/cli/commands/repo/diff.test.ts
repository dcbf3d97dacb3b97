import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GitHistory, gitHistory, gitText } from '../../../support/git-history.ts'
import { run, shareSamples } from '../../../support/run-command.ts'
import { everyDay } from '../../../support/thorough.ts'

let history: GitHistory

beforeAll(async () => {
  history = await gitHistory()
})

afterAll(() => history.close())

const git = (...args: string[]) => gitText(history.directory, args)
const diff = (...args: string[]) => run(['repo', 'diff', history.path, 'ada/kettle', ...args])

describe('marc repo diff', () => {
  everyDay(1)([
    [['v1.0', 'main']],
    [['v1.0..main']],
    [['main..v1.0', '-U0']],
    [['octopus...topic']],
    [['topic...']],
    [['..other-root', '--unified=5']],
    [['main~9', 'main', '--stat']],
    [['topic~1..topic', '--stat']],
    [['other-root', 'octopus', '--stat']],
  ])('%j prints what git diff prints', async (args) => {
    const { code, stdout, stderr } = await diff(...args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    // Statistics are for people, patches for programs.
    const quoting = `core.quotePath=${!args.includes('--stat')}`
    expect(stdout).toBe(git('-c', quoting, 'diff', '-M', ...args))
  })

  test('prints a table of changed files with counts of lines', async () => {
    const { stdout } = await diff('topic~2', 'topic', '--nl')
    const rows = stdout.trimEnd().split('\n')
    const parsed = rows.map((row) => JSON.parse(row))
    expect(parsed.map(({ status, path }) => `${status} ${path}`)).toContain('T link')
    expect(parsed.find(({ path }) => path === 'old/boil.c')).toEqual({
      status: 'R',
      path: 'old/boil.c',
      old_path: 'src/boil.c',
      similarity: 97,
      old_mode: '100644',
      mode: '100644',
      inserted: 1,
      deleted: 0,
      old_oid: git('rev-parse', 'v1.0:src/boil.c').trim(),
      oid: git('rev-parse', 'topic:old/boil.c').trim(),
    })
  })

  test.each([
    [['main']],
    [['main..topic', 'main']],
    [['main', 'topic', '--stat', '--nl']],
    [['main', 'topic', '-U', 'x']],
  ])('refuses %j', async (args) => {
    const { code, stderr } = await diff(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(/expected two revisions|--stat cannot|--unified takes/)
  })

  test('says that histories have nothing in common', async () => {
    const { code, stderr } = await diff('main...other-root')
    expect(code).toBe(1)
    expect(stderr).toContain('"main...other-root": the histories have nothing in common')
  })
})

describe('marc repo show --patch', () => {
  const show = (...args: string[]) => run(['repo', 'show', history.path, 'ada/kettle', ...args])

  everyDay(1)(['v1.0^{}', 'topic', 'main~33'])(
    'of %s ends with the patch of git',
    async (revision) => {
      const patch = git('show', '--format=', '-M', revision)
      const { stdout } = await show(revision, '-p')
      expect(stdout.slice(stdout.indexOf('\n\n'))).toContain('\n    ')
      expect(stdout.endsWith(patch === '' ? '\n' : `\n\n${patch}`)).toBe(true)
    },
  )

  test('compares a merge with its first parent', async () => {
    const { stdout } = await show('light', '-p')
    expect(stdout.endsWith(`\n${git('diff', '-M', 'light^1', 'light')}`)).toBe(true)
  })

  test('counts lines with --stat', async () => {
    const { stdout } = await show('topic', '--stat')
    expect(stdout.endsWith(' 1 file changed')).toBe(false)
    expect(stdout).toMatch(/\n old\/boil\.c \| 1 \+\n/)
  })

  test('cannot be combined with a format', async () => {
    const { code, stderr } = await show('main', '-p', '--nl')
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 2,
      stderr: 'marc: a patch cannot be combined with a format',
    })
  })
})

describe('marc show --diff', () => {
  shareSamples()
  const show = (...args: string[]) => run(['show', 'samples/organization.tar.gz', ...args])

  test('prints what a pull request changes since it left its base', async () => {
    const { code, stdout } = await show('harbour-lights/tidewatch#2', '--diff')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^diff --git a\/tidewatch\/chart.py b\/tidewatch\/chart.py\nnew file mode 100644\n/,
    )
    expect((await show('harbour-lights/almanac#9', '--stat')).stdout).toBe(
      ' stations/otter-rock.json | 8 ++++++++\n 1 file changed, 8 insertions(+)\n',
    )
  })

  test('refuses an issue and a format', async () => {
    expect((await show('harbour-lights/tidewatch#7', '--diff')).stderr).toContain(
      'only a pull request has a diff',
    )
    const { code } = await show('harbour-lights/tidewatch#2', '--diff', '--format', 'json')
    expect(code).toBe(2)
  })
})
