import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { CHECKS } from '../../../src/conformance/checks/checks.ts'
import { PROFILES } from '../../../src/rules/rule.ts'
import { evilArchive, issue, smallArchive } from '../../support/archives.ts'
import { tarGzOf } from '../../support/build-tar.ts'
import { inFolder, ROOT, run, shareFolder } from '../../support/run-command.ts'
import { sarifFaults } from '../../support/sarif-faults.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'
import { archiveOf } from '../../support/uploads.ts'

/** Twenty-five issues with one fault each, and a few more faults. */
const faulty = () => {
  const issues = Array.from({ length: 25 }, (_, i) => issue(1, 'x', { url: `not a url ${i}` }))
  return { 'a.tar.gz': smallArchive({ 'issues_000001.json': issues }) }
}

const broken = (...options: string[]) => run(['check', 'a.tar.gz', ...options])

shareFolder(faulty())
beforeAll(() => symlinkSync(join(ROOT, 'samples'), 'samples'))

test('reports that a complete archive is ready', THOROUGH, async () => {
  const { code, stdout, stderr } = await run(['check', 'samples/hello.tar.gz'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    /^hello\.tar\.gz is ready for the GitHub .*: no errors, no warnings, 5 notes in \d+ checks$/m,
  )
})

test('names standard input as other commands do', async () => {
  const stdin = smallArchive({})
  const { stdout } = await run(['check', '-', '--quiet'], { stdin })
  expect(stdout).toMatch(/^standard input is /m)
})

test('ends with 1 if there are errors, and shows the first places of each', THOROUGH, async () => {
  const { code, stdout, stderr } = await broken()
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toMatch(/^error {4}url-shape × 25$/m)
  expect(stdout).toContain(
    '         - expected the form <scheme>://<host>/<owner>/<repository>/issues/<issue>\n' +
      '           not a url 0 in issues_000001.json, record 1\n',
  )
  expect(stdout).toMatch(/^a\.tar\.gz is not ready for /m)
})

test('the profile strict treats a warning as an error', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': smallArchive({ 'read me.txt': 'of no known use' }) })
  const argv = ['check', 'a.tar.gz', '--only', 'entry-unknown,tar-v7']
  expect(await run(argv)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^warning/) })
  expect(await run([...argv, '--profile', 'strict'])).toMatchObject({ code: 1 })
})

test('--exit-on chooses the severity that ends with 1', THOROUGH, async () => {
  const note = ['check', 'samples/hello.tar.gz', '--only', 'reference-outside,users-missing']
  expect(await run([...note, '--exit-on', 'warning'])).toMatchObject({ code: 0 })
  expect(await run([...note, '--exit-on', 'note', '-q'])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^note/),
  })
  inFolder({ 'a.tar.gz': smallArchive({ 'read me.txt': 'of no known use' }) })
  const warning = ['check', 'a.tar.gz', '--only', 'entry-unknown', '--profile', 'strict']
  expect(await run(warning)).toMatchObject({ code: 1 })
  expect(await run([...warning, '--exit-on', 'error'])).toMatchObject({ code: 0 })
})

test('Checks of which none is left are refused', async () => {
  const codes = 'date-form,url-shape'
  const { code, stderr } = await run(['check', 'x.tar.gz', '--only', 'date-form', '--skip', codes])
  expect([code, stderr]).toEqual([
    2,
    'marc: no check is left: --skip leaves out all that --only names\nSee: marc check --help\n',
  ])
})

describe('several archives', () => {
  const pair = ['pair-git.tar.gz', 'pair-metadata.tar.gz']
  beforeAll(() => run(['build', 'samples/hello.tar.gz', '--split', '-o', 'pair.tar.gz']))

  test('are checked as one', THOROUGH, async () => {
    const half = await run(['check', pair[1] as string])
    expect(half.stdout).toContain('git-none')
    const { code, stdout } = await run(['check', ...pair])
    expect(code).toBe(0)
    expect(stdout).not.toContain('git-none')
    expect(stdout).toMatch(
      /^pair-git\.tar\.gz and pair-metadata\.tar\.gz are ready for the GitHub/m,
    )
    expect(stdout).toMatch(/^Git data of 1 repository verified: 37 objects/m)
  })

  test('are named with each finding', THOROUGH, async () => {
    const options = ['--only', 'reference-outside', '--places', '1']
    const { stdout } = await run(['check', ...pair, ...options])
    expect(stdout).toMatch(/^ +https:\S+ in pair-metadata\.tar\.gz, \w+\.json, record \d+$/m)
    const sarif = await run(['check', pair[0] as string, 'a.tar.gz', '--format', 'sarif'])
    const [{ results }] = JSON.parse(sarif.stdout).runs
    expect(JSON.stringify(results)).not.toContain('"uri": ""')
  })

  everyDay(1)([
    ['b.bz2', 3, 'marc: b.bz2: expected a tar.gz, but this is compressed with bzip2\n'],
    ['b.db', 2, 'marc: b.db: expected an archive, found a database\n'],
  ])('that are not archives are refused by name: %s', async (name, expected, message) => {
    inFolder({ 'a.tar.gz': smallArchive(), 'b.bz2': Buffer.from(`BZh${' '.repeat(600)}`) })
    await run(['load', 'a.tar.gz', '-o', 'b.db'])
    const { code, stdout, stderr } = await run(['check', 'a.tar.gz', name])
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
    expect(stderr).toContain(message)
  })
})

describe('the table of what the importer takes', () => {
  const sample = ['check', 'samples/organization.tar.gz']

  test('is the end of a report, in counts and in lines with their sources', THOROUGH, async () => {
    const { stdout } = await run(sample)
    expect(stdout).toMatch(/^kind +records +taken +changed +not taken$/m)
    expect(stdout).toMatch(/^users +9 +9$/m)
    expect(stdout).toMatch(/^issues +118 +118$/m)
    expect(stdout).toMatch(
      /^- teams: Access of teams, .+ \(documented: GitHub Docs, About migrations between GitHub products\)$/m,
    )
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^- custom properties and issue types: /)
  })

  test('is in JSON and Markdown as well', THOROUGH, async () => {
    const { importer } = JSON.parse((await run([...sample, '--json'])).stdout)
    expect(importer[0]).toEqual({
      kind: 'users',
      records: 9,
      taken: 0,
      changed: 9,
      notTaken: 0,
      known: 'documented',
      why: expect.any(String),
      source: expect.any(String),
    })
    const { stdout } = await run([...sample, '--format', 'markdown'])
    expect(stdout).toMatch(/^\| issues \| 118 \| 118 \| {2}\| {2}\| {2}\| documented \| .+ \|$/m)
  })

  everyDay(1)([['-q'], ['--only', 'users-missing'], ['--profile', 'ghe-migrator']])(
    'is left out with %s %s',
    async (...options) => {
      const { stdout } = await run([...sample, ...options.filter(Boolean)])
      expect(stdout).toContain('is ready for')
      expect(stdout).not.toContain('not taken')
    },
  )
})

test('runs the checks chosen, and no others', THOROUGH, async () => {
  const { code, stdout } = await broken('--only', 'url-shape, emails-null', '--format', 'json')
  expect(code).toBe(1)
  const { checks, findings } = JSON.parse(stdout)
  expect(checks).toBe(2)
  expect(findings.map((finding: { code: string }) => finding.code)).toEqual(['url-shape'])
  const rest = await broken('--skip', 'url-shape', '--format', 'json')
  expect(JSON.parse(rest.stdout).checks).toBe(CHECKS.length - 1)
})

test('leaves notes out with --quiet, and shows no progress', THOROUGH, async () => {
  const argv = ['check', 'samples/hello.tar.gz', '--quiet']
  const { code, stdout, stderr } = await run(argv, { tty: 'stderr' })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    /^hello\.tar\.gz is ready .+: no errors, no warnings in \d+ checks\nGit data of 1 repository verified: .+\n$/,
  )
})

test('the verdict says how many checks were skipped', async () => {
  const verdict = async (...options: string[]) =>
    (await run(['check', 'samples/hello.tar.gz', '--quiet', ...options])).stdout
  expect(await verdict('--skip', 'number-shared')).toMatch(
    /^hello\.tar\.gz is ready for .+, except what 1 check would find that was skipped: no errors/,
  )
  expect(await verdict('--only', 'number-shared,git-contents')).toMatch(
    /, except what \d+ checks would find that were skipped: no errors, no warnings in \d+ checks\n/,
  )
})

test('the verdict says if Git data was not verified', THOROUGH, async () => {
  const skipped = await run(['check', 'samples/hello.tar.gz', '--skip', 'git-contents'])
  expect(skipped.stdout).toMatch(
    /^hello\.tar\.gz is ready for .+, except Git data, which was not verified: no errors, .+\nGit data not verified: it was skipped\n$/m,
  )
  const { stdout } = await run(['check', 'samples/hello.tar.gz', '--format', 'json'])
  expect(JSON.parse(stdout).git).toEqual({
    repositories: 1,
    objects: 37,
    bytes: expect.any(Number),
    unverified: null,
  })
})

test('suggests the closest check', async () => {
  expect(await broken('--only', 'url-shapes')).toMatchObject({
    code: 2,
    stderr: 'marc: there is no check "url-shapes"\nDid you mean url-shape?\n',
  })
})

test('writes JSON with every place of every finding', THOROUGH, async () => {
  const report = JSON.parse((await broken('--format', 'json')).stdout)
  expect(report).toMatchObject({
    archives: ['a.tar.gz'],
    profile: 'gei',
    ok: false,
    incomplete: [],
  })
  expect(report.findings).toContainEqual({
    code: 'url-shape',
    severity: 'error',
    count: 25,
    summary: expect.any(String),
    source: expect.any(String),
    places: expect.arrayContaining([
      {
        kind: 'issues',
        url: 'not a url 24',
        entry: 'issues_000001.json',
        record: 25,
        archive: null,
        message: expect.any(String),
      },
    ]),
  })
  for (const { count, places } of report.findings) expect(places).toHaveLength(count)
})

test('writes SARIF with every place of every finding', async () => {
  const { stdout } = await broken('--only', 'url-shape', '--format', 'sarif')
  const [{ results }] = JSON.parse(stdout).runs
  const uris = results.filter(({ ruleId }: { ruleId: string }) => ruleId === 'url-shape')
  expect(uris).toHaveLength(25)
})

everyDay(1)(['text', 'json', 'sarif'])('lists at most --places places in %s', async (format) => {
  const options = ['--only', 'url-shape', '--places', '22', '--format', format]
  const { stdout } = await broken(...options)
  expect(stdout.match(/"?not a url \d+/g)).toHaveLength(22)
})

test('says in text how many places it omitted, and how to see them', async () => {
  expect((await broken('--only', 'url-shape')).stdout).toContain(
    '         - and 22 more, listed by --places 25\n',
  )
})

test('refuses an invalid number of places', async () => {
  expect(await broken('--places', 'many')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--places takes a number or off, not "many"'),
  })
})

test('writes SARIF 2.1.0', THOROUGH, async () => {
  const { code, stdout } = await broken('--format', 'sarif')
  expect(code).toBe(1)
  const log = JSON.parse(stdout)
  expect(log).toMatchObject({ version: '2.1.0', $schema: expect.stringContaining('sarif-2.1.0') })
  const [{ tool, results }] = log.runs
  const rules = tool.driver.rules.map(({ id }: { id: string }) => id)
  expect(tool.driver.name).toBe('marc check')
  expect(new Set(rules).size).toBe(rules.length)
  for (const rule of tool.driver.rules) {
    expect(rule).toMatchObject({
      shortDescription: { text: expect.stringMatching(/./) },
      help: { text: expect.stringContaining('Source: ') },
    })
  }
  for (const result of results) {
    expect(rules).toContain(result.ruleId)
    expect(['error', 'warning', 'note']).toContain(result.level)
    expect(result.message.text).not.toBe('')
    const [{ physicalLocation }] = result.locations
    expect(physicalLocation.artifactLocation.uri).toMatch(/^[\w.%/-]+$/)
  }
  expect(results).toContainEqual(
    expect.objectContaining({
      ruleId: 'url-shape',
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: 'issues_000001.json' } },
          logicalLocations: [{ fullyQualifiedName: 'not a url 0, record 1', kind: 'issues' }],
        },
      ],
    }),
  )
})

describe('the SARIF of', () => {
  everyDay(1)<[string, Record<string, Buffer>]>([
    ['an archive full of control characters', { 'evil \x1b[31m%.tar.gz': evilArchive() }],
    ['an archive with every fault', {}],
    ['an archive without a fault', { 'good.tar.gz': smallArchive() }],
  ])('%s is valid by the schema of SARIF 2.1.0', async (_, files) => {
    if (Object.keys(files).length > 0) inFolder(files)
    const [name = 'samples/broken.tar.gz'] = Object.keys(files)
    const only = name === 'good.tar.gz' ? ['--only', 'entry-repeated'] : []
    const { stdout } = await run(['check', name, '--format', 'sarif', ...only])
    const log = JSON.parse(stdout)
    expect(sarifFaults(log)).toEqual([])
    expect(log.runs[0].results.length > 0).toBe(name !== 'good.tar.gz')
    // The validator finds errors.
    expect(sarifFaults({ ...log, runs: [], version: '2.0' })).not.toEqual([])
  })
})

test('writes Markdown for a comment', async () => {
  const { stdout } = await broken('--format', 'markdown')
  expect(stdout).toMatch(/^\*\*a\.tar\.gz is not ready for the .+\*\*: /)
  expect(stdout).toMatch(/^\| severity \| code \| count \| why it matters \| first \| place \|$/m)
  expect(stdout).toMatch(
    /^\| error \| url-shape \| 25 \| .+ \| not a url 0 in issues_000001\.json, record 1 \|$/m,
  )
})

describe('The same archive', () => {
  const scripted = '<script>alert(1)</script>'
  const prepare = () => inFolder({ 'a.tar.gz': tarGzOf(archiveOf({ 1: [scripted], 2: [''] })) })
  /** The report without the name of the file. */
  const answer = async (source = 'a.tar.gz') => {
    const { code, stdout } = await run(['check', source, '--format', 'json'])
    return { code, ...JSON.parse(stdout), archives: [] }
  }

  test('has the same result as an archive and as a database', THOROUGH, async () => {
    prepare()
    const first = await answer()
    expect(first.checks).toBe(CHECKS.length)
    expect(first.findings.map(({ code }: { code: string }) => code)).toContain('file-type')
    await run(['load', 'a.tar.gz', '-o', 'it.db'])
    expect(await answer('it.db')).toEqual(first)
  })

  test.each(['attachments check', 'repo list', 'tables'])(
    'has the same result with the cached database of %s',
    THOROUGH,
    async (command) => {
      prepare()
      const first = await answer()
      prepare()
      await run([...command.split(' '), 'a.tar.gz'])
      expect(await answer()).toEqual(first)
    },
  )

  test('has the same findings in attachments check', async () => {
    prepare()
    const { stdout } = await run(['attachments', 'check', 'a.tar.gz', '--format', 'json'])
    const { findings } = JSON.parse(stdout)
    expect(findings.length).toBeGreaterThan(1)
    const all = (await answer()).findings
    for (const finding of findings) expect(all).toContainEqual(finding)
  })

  test(
    'lists the checks that are incomplete without contents, and does not count them',
    THOROUGH,
    async () => {
      prepare()
      await run(['load', 'a.tar.gz', '-o', 'it.db', '--no-files'])
      const { checks, incomplete } = await answer('it.db')
      expect(incomplete).toEqual([
        { code: 'file-truncated', why: 'the contents of uploads were not loaded' },
        { code: 'file-type', why: 'the contents of uploads were not loaded' },
      ])
      expect(checks).toBe(CHECKS.length - 2)
      const { stdout } = await run(['check', 'it.db'])
      expect(stdout).toMatch(
        /in \d+ checks; 2 more were incomplete\nthe contents of uploads were not loaded: file-truncated, file-type\n$/m,
      )
    },
  )
})

test('lists every check with its source', async () => {
  const { code, stdout } = await run(['check', '--list', '--format', 'json'])
  expect(code).toBe(0)
  const listed = JSON.parse(stdout)
  expect(listed.map(({ code }: { code: string }) => code)).toEqual(CHECKS.map(({ code }) => code))
  const table = await run(['check', '--list', '--profile', 'strict'])
  for (const { code, source } of CHECKS) {
    expect(table.stdout).toContain(code)
    expect(table.stdout).toContain(source)
  }
  expect((await run(['check', '--list', '--format', 'sarif'])).code).toBe(2)
})

everyDay(1)(Object.keys(PROFILES))('knows the profile %s', async (profile) => {
  const { code, stdout } = await broken(
    '--profile',
    profile,
    '--only',
    'url-shape',
    '--format',
    'json',
  )
  expect(code).toBe(1)
  expect(JSON.parse(stdout).profile).toBe(profile)
})

everyDay(1)([60, 80, 200])('wraps explanations to a terminal of %i columns', async (columns) => {
  const { stdout } = await run(['check', 'a.tar.gz'], {
    tty: 'stdout',
    columns,
    env: { NO_COLOR: '1' },
  })
  const explained = stdout.split('\n').filter((line) => /^ {9}[A-Z]/.test(line))
  expect(explained.length).toBeGreaterThan(3)
  expect(explained.filter((line) => line.length > columns)).toEqual([])
})

test('has colours on a terminal', async () => {
  const { stdout } = await run(['check', 'a.tar.gz'], { tty: 'stdout' })
  expect(stdout).toContain('\x1b[31merror')
})
