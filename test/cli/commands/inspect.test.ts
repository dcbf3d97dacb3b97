import { describe, expect, test } from 'vitest'
import { smallArchive } from '../../support/archives.ts'
import { tarGzOf } from '../../support/build-tar.ts'
import { inFolder, run } from '../../support/run-command.ts'

const git = { 'repositories/acme/tools.git/HEAD': 'ref: refs/heads/main\n' }
const archive = smallArchive({ ...git, 'gadgets_000001.json': [{ url: 'x:1' }] })

test('prints kinds, repositories, files and problems', async () => {
  inFolder({ 'a.tar.gz': archive })
  const { code, stdout, stderr } = await run(['inspect', 'a.tar.gz'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [overview, problems] = stdout.split('\n\nProblems\n')
  expect(overview).toBe(`archive  a.tar.gz, ${archive.length} B
form     tar.gz, gnu headers
schema   1.0.1
host     build c0ffee
records  6 of 3 kinds

Kinds
kind               records  files  first       last
-----------------  -------  -----  ----------  ----------
gadgets (unknown)        1      1
issues                   3      1  2021-01-01  2021-03-01
users                    2      1  2020-01-02  2020-01-02

Repositories
repository  issues  pulls  comments  git   wiki
----------  ------  -----  --------  ----  ----
acme/tools       3      0         0  21 B

By month
        min  max  2021-01 to 2021-03
------  ---  ---  ------------------
issues    1    1  ###

Files
role        files  size
----------  -----  ----
attachment      1   9 B
git             1  21 B`)
  expect(problems).toMatch(/^kind-unknown {2}gadgets_000001\.json.+gadgets/m)
})

test('--json prints the same as JSON', async () => {
  inFolder({ 'a.tar.gz': archive })
  const { stdout } = await run(['inspect', 'a.tar.gz', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'a.tar.gz',
    size: archive.length,
    form: { container: 'gzip', dialect: 'gnu' },
    schema: { version: '1.0.1', github_sha: 'c0ffee' },
    kinds: { issues: { records: 3, files: 1, known: true } },
    files: { attachment: { count: 1, bytes: 9 } },
    git: { 'acme/tools': { count: 1, bytes: 21 } },
    problemCount: 1,
  })
})

test('reads standard input', async () => {
  inFolder()
  const { code, stdout } = await run(['inspect', '-'], { stdin: archive })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^archive {2}standard input\n/)
})

describe('on a terminal', () => {
  test('it fits the width, and shows progress', async () => {
    inFolder({ 'a.tar.gz': archive })
    const { stdout, stderr } = await run(['inspect', 'a.tar.gz'], {
      tty: true,
      columns: 60,
      env: { NO_COLOR: '1' },
    })
    expect(stdout.split('\n').filter((line) => line.length > 60)).toEqual([])
    expect(stderr).toContain('inspecting a.tar.gz ')
  })

  test.each([
    [68, 'kind                          records  files  first       last'],
    [67, 'kind                          records  first       last'],
    [61, 'kind                          records  first       last'],
    [40, 'kind                          records'],
  ])('of %i columns it leaves out columns instead of the ends of kinds', async (columns, head) => {
    const name = 'pull_request_review_comments'
    inFolder({
      'a.tar.gz': smallArchive({
        [`${name}_000001.json`]: [{ created_at: '2020-01-02T03:04:05Z' }],
      }),
    })
    const { stdout } = await run(['inspect', 'a.tar.gz'], {
      tty: true,
      columns,
      env: { NO_COLOR: '1' },
    })
    expect(stdout).toContain(`Kinds\n${head}\n`)
    expect(stdout).toMatch(new RegExp(`^${name} +1\\b`, 'm'))
  })
})

test('an interrupt is not reported as a bug', async () => {
  inFolder({ 'a.tar.gz': archive })
  const { code, stderr } = await run(['inspect', 'a.tar.gz'], { signal: AbortSignal.abort() })
  expect({ code, stderr }).toMatchObject({
    code: 130,
    stderr: expect.stringMatching(/^marc: interrupted\n/),
  })
})

test('it shows the readable part of a damaged archive, and what is lost', async () => {
  inFolder({ 'a.tar.gz': archive.subarray(0, -40) })
  const { code, stdout, stderr } = await run(['inspect', 'a.tar.gz'])
  expect({ code, stderr }).toEqual({ code: 5, stderr: '' })
  expect(stdout).toMatch(/^damaged .*lost/m)
  expect(stdout).toMatch(/^users +2 /m)
  expect(stdout).toMatch(/^rest-lost .*ends too early.* byte \d+ of the tar, about byte \d+ of/m)
})

test('J3: a record that exceeds the limit is refused as by load, unless the limit is raised', async () => {
  const body = 'x'.repeat(300_000)
  inFolder({ 'a.tar.gz': tarGzOf({ 'issues_000001.json': [{ type: 'issue', url: 'a', body }] }) })
  const { code, stderr } = await run(['inspect', 'a.tar.gz', '--max-record', '250000'])
  expect({ code, stderr }).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('a record of more than 250000 bytes\nRaise --max-record'),
  })
  expect(await run(['inspect', 'a.tar.gz'])).toMatchObject({ code: 0 })
})

test('a file that is not an archive is refused', async () => {
  inFolder({ 'a.tar.gz': '<html>Not found</html>' })
  const { code, stdout, stderr } = await run(['inspect', 'a.tar.gz'])
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toMatch(/^marc: a\.tar\.gz.*web page/)
})
