import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SYSTEM_CLOCK } from '../../../../src/client/client-options.ts'
import { type ImportHost, openImportHost } from '../../../support/import-host.ts'
import { inFolder, ROOT, type RunOptions, run } from '../../../support/run-command.ts'
import { TOKEN } from '../../../support/scripted-host.ts'
import { THOROUGH } from '../../../support/thorough.ts'

const SOURCE = 'https://github.com/mona-lindqvist/tea-timer'
const ONE = 'import hello.tar.gz --org forge --repo tea-timer'

const { sleep } = SYSTEM_CLOCK

let own: ImportHost

// Between POSTs a second passes, which no test waits for.
beforeEach(async () => {
  vi.spyOn(SYSTEM_CLOCK, 'sleep').mockImplementation((_, signal) => sleep(1, signal))
  inFolder()
  for (const name of ['hello', 'organization', 'broken']) {
    copyFileSync(join(ROOT, `samples/${name}.tar.gz`), `${name}.tar.gz`)
  }
  own = await openImportHost()
})

const marc = (line: string, options: RunOptions = {}) =>
  run(['migration', ...line.split(' ')], {
    ...options,
    env: { MARC_SERVER: own.host.url, MARC_TOKEN: TOKEN, ...options.env },
  })

describe('marc migration import', () => {
  it('prints what the log says of which record', THOROUGH, async () => {
    own.log = `[2026-01-01T00:00:00Z] WARN -- Changed ${SOURCE}/issues/1
[2026-01-01T00:00:00Z] ERROR -- Not taken: something else
[2026-01-01T00:00:00Z] WARN -- The milestone of #2 is gone
`
    const { code, stdout, stderr } = await marc(`${ONE} --log all.log`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`forge/tea-timer is imported
its log has 1 error and 2 warnings; all of it is in all.log
  error: Not taken: something else
  warning: Changed ${SOURCE}/issues/1
  warning at pull_requests ${SOURCE}/pull/2: The milestone of #2 is gone
`)
    expect(readFileSync('all.log', 'utf8')).toBe(own.log)
  })

  it('says how to wait, and goes on then', THOROUGH, async () => {
    const { code, stdout } = await marc(ONE)
    expect(code).toBe(0)
    expect(stdout).toBe(`forge/tea-timer is queued: import RM_1
Wait for it, and read its log: marc migration import hello.tar.gz --repo tea-timer --org forge --wait
`)
    expect((await marc(`${ONE} --wait`)).stdout).toMatch(/^forge\/tea-timer is imported\n/)
    expect(own.imports).toHaveLength(1)
  })

  it('shows the states on a terminal', THOROUGH, async () => {
    const { stderr } = await marc(`${ONE} --wait`, { tty: 'stderr' })
    expect(stderr).toContain('mona-lindqvist/tea-timer is in progress')
  })

  it('imports every repository, and goes on after one that cannot be', THOROUGH, async () => {
    own.names.add('almanac')
    const { code, stdout } = await marc('import organization.tar.gz --org forge --all --log i.log')
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^harbour-lights\/almanac is not imported: there is a repository forge\/almanac$/m,
    )
    expect(stdout).toContain('\n  Import it alone under another name: --repo <name> --source-url')
    expect(stdout).toMatch(/^forge\/tidewatch is imported$/m)
    expect(stdout).toMatch(/^1 of \d are not imported: harbour-lights\/almanac$/m)
    expect(existsSync('i-harbour-lights-tidewatch.log')).toBe(true)
    expect(readdirSync('.').filter((name) => /part/.test(name))).toEqual([])
  })

  it('goes on after a repository that was imported before', THOROUGH, async () => {
    const line = 'import organization.tar.gz --org forge --all --wait'
    expect((await marc(line)).code).toBe(0)
    const { code, stdout } = await marc(line)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^forge\/almanac was imported before, from the address of harbour-lights\/almanac$/m,
    )
    expect(stdout).toMatch(/with this archive: marc migration validate\n$/)
    expect(existsSync('organization.tar.gz.parts')).toBe(false)
  })

  it('prints JSON for programs', THOROUGH, async () => {
    const { stdout } = await marc(`${ONE} --wait --json`)
    expect(JSON.parse(stdout)).toMatchObject({ state: 'SUCCEEDED', log: { lines: 0 } })
    const all = await marc('import organization.tar.gz --org forge --all --json')
    expect(JSON.parse(all.stdout)).toMatchObject([{ state: 'QUEUED' }, { state: 'QUEUED' }])
  })

  it(
    'exits with 1 for errors of the check and imports that fail, and with 4 for a name that is taken',
    THOROUGH,
    async () => {
      const refused = await marc('import broken.tar.gz --org forge --all')
      expect(refused.code).toBe(1)
      expect(refused.stderr).toMatch(
        /the check found errors: .+\nSee them with: marc check broken\.tar\.gz\./,
      )
      own.states = ['FAILED']
      own.failureReason = 'The archive is strange'
      const failed = await marc(`${ONE} --wait`)
      expect(failed.code).toBe(1)
      expect(failed.stdout).toMatch(/^forge\/tea-timer is not imported: The archive is strange\n/)
      own.names.add('tea-timer')
      const taken = await marc(`${ONE} --wait`)
      expect(taken.code).toBe(4)
      expect(taken.stderr).toContain('there is a repository forge/tea-timer\nChoose another name')
    },
  )

  it('says after an interrupt how to continue', THOROUGH, async () => {
    const stop = new AbortController()
    own.loses = () => {
      stop.abort()
      return true
    }
    const { code, stderr } = await marc(ONE, { signal: stop.signal })
    expect(code).toBe(130)
    expect(stderr).toContain(
      'Nothing is lost or doubled. Continue with: marc migration import hello.tar.gz --repo tea-timer --org forge --wait\n',
    )
  })

  it('says that a server takes no imports', THOROUGH, async () => {
    own.host.script('POST /graphql', { status: 404, body: { message: 'Not Found' } })
    const { code, stderr } = await marc(ONE)
    expect(code).toBe(4)
    expect(stderr).toContain('the server takes no imports: it does not answer GraphQL\n')
  })

  it('uploads nothing for a dry run', THOROUGH, async () => {
    const { code, stdout } = await marc(`${ONE} --dry-run`)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^mona-lindqvist\/tea-timer would become forge\/tea-timer\n {2}hello\.tar\.gz {2}12\.4 KiB\n$/,
    )
    expect(own.uploads).toEqual([])
  })

  it.each([
    ['no organization', 'import hello.tar.gz --repo a'],
    ['no repository', 'import hello.tar.gz --org forge'],
    ['all and one', 'import hello.tar.gz --org forge --repo a --all'],
    ['parts that are too small', `${ONE} --part-size 1MiB`],
    ['none at the same time', `${ONE} --concurrency 0`],
    ['an archive that is not there', 'import none.tar.gz --org forge --repo a'],
  ])('refuses %s', async (_, line) => {
    expect(await marc(line)).toMatchObject({ code: 2, stdout: '' })
    expect(own.host.asked).toEqual([])
  })
})

describe('marc migration mannequins', () => {
  const claimant = { login: 'grace', id: 'U_grace' }
  beforeEach(() => {
    own.mannequins = ['ada', 'bob', 'cai'].map((login, i) => ({
      login,
      id: `M_${i}`,
      claimant: login === 'bob' ? claimant : null,
    }))
  })

  it('lists them, and who has claimed them', async () => {
    const { stdout } = await marc('mannequins list --org forge --csv')
    expect(stdout).toBe('login,id,claimant\nada,M_0,\nbob,M_1,grace\ncai,M_2,\n')
  })

  it('writes a list to fill in, and invites the accounts in it', async () => {
    const { stdout } = await marc('mannequins csv --org forge')
    expect(stdout).toBe('mannequin-user,mannequin-id,target-user\nada,M_0,\ncai,M_2,\n')
    writeFileSync('people.csv', stdout.replace('M_0,', 'M_0,ada-forge'))
    const done = await marc('mannequins reclaim people.csv --org forge --csv')
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.stdout).toMatch(/^ada,M_0,ada-forge,invited$/m)
    expect(own.invited).toEqual([
      {
        name: 'createAttributionInvitation',
        ownerId: 'O_forge',
        sourceId: 'M_0',
        targetId: 'U_ada-forge',
      },
    ])
  })

  it('writes the list in another format if one is asked for', async () => {
    const [ada] = (await marc('mannequins csv --org forge --nl')).stdout.split('\n')
    expect(ada).toBe('{"mannequin-user":"ada","mannequin-id":"M_0","target-user":""}')
    const { stdout } = await marc('mannequins csv --org forge --no-headers')
    expect(stdout).toBe('ada,M_0,\ncai,M_2,\n')
  })

  it('reclaims at once, and goes on after one that is refused', async () => {
    const rows = ['ada,M_0,stranger', 'bob,M_1,nobody', 'cai,M_2,cai']
    writeFileSync('people.csv', `mannequin-user,mannequin-id,target-user\n${rows.join('\n')}\n`)
    const line = 'mannequins reclaim people.csv --org forge --skip-invitation --csv'
    const { code, stdout, stderr } = await marc(line)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ada,.*Target must be a member of the forge organization$/m)
    expect(stdout).toMatch(/^bob,.*the server has no account nobody$/m)
    expect(stdout).toMatch(/^cai,M_2,cai,reclaimed$/m)
    expect(stderr).toBe('not reclaimed: ada, bob\n')
    expect(own.invited).toMatchObject([{ name: 'reattributeMannequinToUser', sourceId: 'M_2' }])
  })

  it.each([
    ['another word', 'mannequins show --org forge'],
    ['no organization', 'mannequins list'],
    ['no list', 'mannequins reclaim --org forge'],
    ['a list that is not there', 'mannequins reclaim none.csv --org forge'],
    ['a list of something else', 'mannequins reclaim other.csv --org forge'],
    ['an empty list', 'mannequins reclaim empty.csv --org forge'],
  ])('refuses %s', async (_, line) => {
    writeFileSync('other.csv', 'a,b,c\n')
    writeFileSync('empty.csv', 'mannequin-user,mannequin-id,target-user\nada,M_0,\n')
    expect(await marc(line)).toMatchObject({ code: 2, stdout: '' })
    expect(own.host.asked).toEqual([])
  })
})
