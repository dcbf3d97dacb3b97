import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PROBLEMS } from '../../src/base/error-codes.ts'
import { ArchiveError, type Problem } from '../../src/base/errors.ts'
import type { RuleCode } from '../../src/base/rule-codes.ts'
import { isRuleCode } from '../../src/base/rule-codes.ts'
import { collect } from '../../src/base/streams.ts'
import { buildArchive } from '../../src/build/build-archive.ts'
import { exportArchive } from '../../src/compose/export-archive.ts'
import { checkDatabase } from '../../src/conformance/checks/check-database.ts'
import type { Database } from '../../src/database/open-database.ts'
import type { JsonObject } from '../../src/records/json/json.ts'
import type { Kind } from '../../src/records/kinds/kind.ts'
import { kindNamed } from '../../src/records/kinds/kind-of-record.ts'
import { eachValue, memberPaths } from '../../src/records/kinds/member-paths.ts'
import { isRefusing, RULES } from '../../src/rules/rules.ts'
import { loaded } from '../support/load.ts'
import { runs } from '../support/property-runs.ts'
import { ADA, asSource, KETTLE, type LooseWorld, looseWorld } from '../support/small-world.ts'
import { THOROUGH } from '../support/thorough.ts'

/** A record broken in one place: its kind, the member, and its value; undefined takes it away. */
type Change = ((world: LooseWorld) => void) | undefined
type Twin = readonly [kind: string, member: string, value: unknown, more?: Change]

const sha = 'a'.repeat(40)
const PICTURE = 'tarball://root/attachments/5d1c/läger.png'
const LABEL = `${KETTLE}/labels/good%20first%20issue`
const EVENT = `${KETTLE}/pull/2#event-9`
const OTHER = { url: `${ADA}/pot`, git_url: 'tarball://root/repositories/ada/pot.git' }
const merged = ({ records }: LooseWorld) => {
  Object.assign(records.pull_requests?.at(-1) ?? {}, { merged_at: '2024-05-06T07:08:09Z' })
}
const ODD = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  ' ',
  0,
  -0,
  1.5,
  1e21,
  true,
  [],
  [null],
  [[]],
  [{}],
  {},
  'x',
  '\0',
  '\ud800',
  sha,
  `${sha}\0`,
  '2024-05-06T07:08:09Z',
  '2024-02-30T07:08:09Z',
  '2024-05-06T07:08:09Z\0',
  '12345',
  '2024-05-06T07:08:60Z',
  '2024-05-06T09:08:09.000+02:00',
  '2024-05-06T09:08:09.1234Z',
  'now',
  'a\nb',
  ADA,
  KETTLE,
  `${KETTLE}/issues/1`,
  `${KETTLE}/pull/1`,
  `${KETTLE}/labels/x`,
  'https://x/y/z/w',
  PICTURE,
  'tarball://root/',
  'tarball://root/a',
  'tarball://root/./a',
  'tarball://root/a//b',
  'tarball://root/a\\b',
  'tarball://root/attachments/1/x',
  'tarball://root/repositories/a/b.git',
  'refs',
  'a..b',
  'ccccff',
  '-1',
)
const copyBefore = (kind: string, more: JsonObject) => (world: LooseWorld) => {
  const [first] = world.records[kind] ?? []
  world.records[kind]?.unshift({ ...structuredClone(first as JsonObject), ...more })
}

/** Broken twins of good records, by the rule that they break. */
const TWINS: { readonly [code in RuleCode]?: readonly Twin[] } = {
  'record-without-url': [
    ['issue_events', 'url', undefined],
    ['issue_events', 'url', null],
    ['issue_events', 'url', 7],
  ],
  'member-missing': [
    ['users', 'name', undefined],
    ['issues', 'labels', undefined],
    ['attachments', 'asset_url', undefined],
    ['issue_comments', 'issue', undefined],
    ['attachments', 'issue', null],
    ['pull_requests', 'base', { a: 1 }],
    ['organizations', 'members[0]', {}],
  ],
  'member-absent': [
    ['discussions', 'body', undefined],
    ['bots', 'login', undefined],
    ['milestones', 'title', undefined],
    ['issues', 'reactions[0]', { user: ADA }],
  ],
  'member-null': [
    ['users', 'login', null],
    ['repositories', 'git_url', null],
    ['discussions', 'body', null],
    ['pull_requests', 'head.sha', null],
    ['repositories', 'labels[0].name', null],
  ],
  'emails-null': [['users', 'emails', null]],
  'thread-missing': [
    ['pull_request_review_comments', 'pull_request_review_thread', null],
    ['pull_request_review_comments', 'pull_request_review_thread', undefined],
  ],
  'parent-ambiguous': [['issue_events', 'issue', `${KETTLE}/issues/1`]],
  'record-type': [['issues', 'type', 'epic']],
  'member-type': [
    ['issues', 'title', 7],
    ['issues', 'created_at', 0],
    ['repositories', 'private', 'no'],
    ['pull_requests', 'base', 'main'],
    ['pull_requests', 'base.ref', 1],
    ['pull_request_reviews', 'state', 'approved'],
    ['pull_request_reviews', 'state', 0.5],
    ['issues', 'labels[0]', 5],
    ['users', 'emails[0].primary', 'yes'],
  ],
  'list-expected': [
    ['users', 'emails', 'ada@forge.example'],
    ['users', 'emails', ['ada@forge.example']],
    ['users', 'emails', [false]],
    ['issues', 'reactions', null],
    ['releases', 'release_assets', {}],
  ],
  'list-element': [
    ['issues', 'labels', [LABEL, LABEL]],
    ['protected_branches', 'authorized_user_urls', [ADA, null]],
    ['repositories', 'webhooks', [{ active: true }, { active: true }]],
  ],
  'name-url': [
    ['users', 'login', 'grace'],
    ['users', 'login', ''],
    ['repositories', 'labels[0].name', 'good'],
    ['releases', 'tag_name', 'v2'],
  ],
  'value-empty': [
    ['issues', 'title', ''],
    ['teams', 'name', ''],
  ],
  'value-unknown': [
    ['milestones', 'state', 'ajar'],
    ['pull_request_reviews', 'state', 7],
    ['issues', 'reactions[0].content', 'shrug'],
  ],
  'event-unknown': [['issue_events', 'event', 'exploded']],
  'date-range': [
    ['issues', 'created_at', '0000-01-01T00:00:00Z'],
    ['issues', 'reactions[0].created_at', '9999-12-31T23:59:59.000Z'],
  ],
  'date-form': [
    ['issues', 'created_at', '2024-05-06T07:08:09.000Z'],
    ['issues', 'created_at', '2024-05-06T09:08:09+02:00'],
    ['issues', 'created_at', '2024-19-39T29:00:61Z'],
    ['issues', 'closed_at', '2024-05-06'],
    ['issues', 'created_at', '2023-02-29T00:00:00Z'],
    ['issues', 'created_at', '2023-02-28T24:00:00Z'],
    ['issues', 'reactions[0].created_at', 'yesterday'],
    ['repositories', 'labels[0].created_at', '2024-05-06T09:08:09+02:00'],
  ],
  'commit-id': [
    ['pull_requests', 'base.sha', 'abc1234'],
    ['pull_requests', 'merge_commit_sha', sha.toUpperCase()],
    ['pull_request_reviews', 'head_sha', `${sha}0`],
    ['issue_events', 'commit_id', ''],
  ],
  'label-color': [
    ['repositories', 'labels[0].color', '#ccccff'],
    ['issue_events', 'label_color', 'red'],
  ],
  'ref-like-commit': [
    ['repositories', 'default_branch', sha],
    ['pull_requests', 'head.ref', sha],
    ['protected_branches', 'name', sha],
  ],
  'ref-name': [['repositories', 'default_branch', 'a..b']],
  'ref-length': [['pull_requests', 'base.ref', 'ä'.repeat(123)]],
  'description-controls': [
    ['repositories', 'description', 'two\nlines'],
    ['organizations', 'description', 'a\x1b[31m'],
    ['repositories', 'labels[0].description', 'a\tb'],
  ],
  'wiki-url-empty': [
    ['repositories', 'wiki_url', null],
    ['repositories', 'wiki_url', ''],
  ],
  'url-shape': [
    ['users', 'url', 'ada'],
    ['users', 'url', 'https://forge.example/users/ada'],
    ['issue_events', 'url', `${KETTLE}/pull/2#9`],
    ['milestones', 'url', `${KETTLE}/milestones/hot`],
  ],
  'url-unusual': [
    ['attachments', 'url', '/uploads/5d1c'],
    ['discussions', 'url', `${KETTLE}/talks/1`],
  ],
  'label-url': [['repositories', 'labels[0].url', `${KETTLE}/labels/good first issue`]],
  'owner-nested': [['repositories', 'url', `${ADA}/kitchen/kettle`]],
  'record-duplicate': [
    ['issues', 'url', `${KETTLE}/issues/1`, copyBefore('issues', { title: 'Another' })],
    ['issue_events', 'url', EVENT, copyBefore('issue_events', {})],
    ['users', 'url', ADA, copyBefore('users', { name: 'Another' })],
    ['organizations', 'url', ADA],
    ['repositories', 'labels[0].url', LABEL, copyBefore('repositories', OTHER)],
  ],
  'number-shared': [['pull_requests', 'url', `${KETTLE}/pull/1`]],
  'merged-not-closed': [['pull_requests', 'closed_at', null, merged]],
  'reference-record': [
    ['issues', 'repository', `${ADA}/pot`],
    ['issues', 'milestone', `${KETTLE}/issues/1`],
    ['pull_requests', 'base.repo', `${ADA}/pot`],
    ['pull_request_review_threads', 'pull_request_review', `${KETTLE}/pull/2/files#r5`],
    ['pull_request_review_comments', 'in_reply_to', `${KETTLE}/pull/2/files#r55`],
    ['discussions', 'discussion_category', `${KETTLE}/discussion_categories/Ideas`],
  ],
  'reference-person': [
    ['issues', 'user', `${ADA}s`],
    ['repositories', 'owner', `${ADA}s`],
  ],
  'reference-label': [['issues', 'labels[0]', `${KETTLE}/labels/bug`]],
  'tarball-form': [
    ['attachments', 'asset_url', 'https://forge.example/uploads/5d1c'],
    ['attachments', 'asset_url', ''],
  ],
  'tarball-escape': [['attachments', 'asset_url', 'tarball://root/attachments/../l.png']],
  'tarball-folder': [
    ['attachments', 'asset_url', 'tarball://root/releases/5d1c/l.png'],
    ['repositories', 'git_url', 'tarball://root/repositories/kettle.git'],
  ],
  'file-missing': [['attachments', 'asset_url', PICTURE, ({ files }) => void files.shift()]],
  'file-shared': [
    ['attachments', 'asset_url', PICTURE, copyBefore('attachments', { url: `${ADA}/files/2` })],
  ],
  'file-orphan': [
    [
      'issues',
      'body',
      'x',
      ({ files }) => void files.push({ path: 'attachments/1/x', content: 'x' }),
    ],
  ],
}

/** Breaks the last record of a kind. Returns the url that it has then. */
function breakOne(world: LooseWorld, [kind, member, value, more]: Twin): unknown {
  more?.(world)
  const record = world.records[kind]?.at(-1) as JsonObject
  const way = member.split(/[.[\]]+/).filter(Boolean)
  const last = way.pop() as string
  // biome-ignore lint/suspicious/noExplicitAny: it is about members of any kind
  const parent = way.reduce<any>((inner, name) => inner[name], record)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return record.url
}

interface Verdict {
  /** Whether an archive is written. */
  ok: boolean
  codes: string[]
  /** How often each rule is broken. */
  counts: Record<string, number>
  problems: Problem[]
  archive: Buffer
}

type Write = (options: {
  allowInvalid: boolean
  report: (problem: Problem) => void
}) => AsyncIterable<Uint8Array>

/** The verdict of a writer. What it refuses to write is written again with `allowInvalid`, for all its problems. */
async function verdictOf(write: Write, allowInvalid = false): Promise<Verdict> {
  const problems: Problem[] = []
  try {
    const report = (problem: Problem) => void problems.push(problem)
    const archive = await collect(write({ allowInvalid, report }))
    const byCode = Object.entries(Object.groupBy(problems, ({ code }) => code))
    const counts = Object.fromEntries(byCode.map(([code, found]) => [code, found.length]))
    return { ok: !allowInvalid, codes: Object.keys(counts), counts, problems, archive }
  } catch (error) {
    expect(allowInvalid).toBe(false)
    expect(error).toBeInstanceOf(ArchiveError)
    expect(isRuleCode((error as ArchiveError).code)).toBe(true)
    return await verdictOf(write, true)
  }
}

const exported = (world: LooseWorld) =>
  verdictOf((options) => exportArchive(asSource(world), options))

/** The verdict of check: the codes of its findings, and whether the archive is ready. */
async function checked(database: Database) {
  const only = RULES.map(({ code }) => code)
  const { ok, findings } = await checkDatabase(database, { only })
  const counts = Object.fromEntries(findings.map(({ code, count }) => [code, count]))
  return { ok, codes: Object.keys(counts), counts }
}

/** The verdict of build, with no file taken for the one that was loaded. */
async function built(database: Database) {
  database.exec('UPDATE record_files SET crc32 = crc32 + 1')
  return await verdictOf((options) => buildArchive(database, options))
}

/** The verdicts of check and build about an exported archive. */
async function otherVerdicts({ archive }: Verdict) {
  const { database } = await loaded(gunzipSync(archive))
  return { checked: await checked(database), built: await built(database) }
}

/** A twin and its export, which both tests of it read. */
const broken = new Map<Twin, ReturnType<typeof breakAndExport>>()
function brokenBy(twin: Twin) {
  const known = broken.get(twin) ?? breakAndExport(twin)
  broken.set(twin, known)
  return known
}
async function breakAndExport(twin: Twin) {
  const world = looseWorld()
  const url = breakOne(world, twin)
  return { world, url, verdict: await exported(world) }
}

const sorted = ({ ok, codes }: { ok: boolean; codes: readonly string[] }) => ({
  ok,
  codes: codes.toSorted(),
})

test('A valid world breaks no rule in check, build and export', THOROUGH, async () => {
  const well = { ok: true, codes: [] }
  const verdict = await exported(looseWorld())
  const others = await otherVerdicts(verdict)
  expect(sorted(verdict)).toEqual(well)
  expect(sorted(others.checked)).toEqual(well)
  expect(sorted(others.built)).toEqual(well)
})

test('Every rule has a unique code, a text, a reason, a source and evidence', () => {
  expect(new Set(RULES.map(({ code }) => code)).size).toBe(RULES.length)
  for (const { code, summary, source, evidence } of RULES) {
    expect(PROBLEMS[code]).toMatch(/\S/)
    expect(summary).toMatch(/^[A-Z].*[^.]$/)
    expect(source).toMatch(/^\S.*[^.]$/)
    expect(evidence === 'documented' || /\d/.test(evidence.seenIn)).toBe(true)
  }
})

test('Every rule about records has a broken twin, and no twin is without a rule', () => {
  // Rules about the archive as a whole are tested with Git data.
  const codes = RULES.map(({ code }) => code).filter(
    (code) => !/^(?:git-missing|git-orphan|wiki-head)$/.test(code),
  )
  expect(Object.keys(TWINS).sort()).toEqual(codes.sort())
})

/** A database cannot have one url twice in a table: of two records that were loaded, the later is there. */
const isLost = (code: string, [, member]: Twin) =>
  code === 'record-duplicate' && !member.startsWith('labels')

/** Files without a record are written as they were loaded: a build does not ask for their records. */
const withoutOrphans = ({ ok, codes }: { ok: boolean; codes: readonly string[] }) =>
  sorted({ ok, codes: codes.filter((code) => code !== 'file-orphan') })

const EACH = Object.keys(TWINS) as RuleCode[]

/** Rules about more than one record: check, build and export count their faults in different ways. */
const ALONE: readonly RuleCode[] = ['record-duplicate', 'file-shared']

interface Broken {
  code: RuleCode
  twin: Twin
}

/**
 * The first twins of the other rules, several in one world: to load, check and build a world takes longer than all rules
 * together. Each breaks a member of its own, and a world is refused for each of its rules or for none.
 */
const CROWDS = EACH.filter((code) => !ALONE.includes(code)).reduce<Broken[][]>((crowds, code) => {
  const twin = TWINS[code]?.[0] as Twin
  const placeOf = ([kind, member]: Twin) => `${kind} ${/^\w+/.exec(member)}`
  const isApart = (other: Broken) =>
    isRefusing(other.code) === isRefusing(code) && placeOf(other.twin) !== placeOf(twin)
  const crowd = crowds.find((others) => others.every(isApart))
  if (crowd) crowd.push({ code, twin })
  else crowds.push([{ code, twin }])
  return crowds
}, [])

const AGREE = 'Export, check and build find the same in a world with many faults: %#'
const agree = async (crowd: Broken[]) => {
  const world = looseWorld()
  for (const { twin } of crowd) breakOne(world, twin)
  const verdict = await exported(world)
  const others = await otherVerdicts(verdict)
  expect(verdict.codes).toEqual(expect.arrayContaining(crowd.map(({ code }) => code)))
  expect(others.checked.counts).toEqual(verdict.counts)
  expect(others.checked.ok).toBe(verdict.ok)
  const { 'file-orphan': _, ...counts } = verdict.counts
  expect(others.built.counts).toEqual(counts)
  expect(others.built.ok).toBe(verdict.ok)
}
test.for(CROWDS.slice(0, 1))(AGREE, agree)
test.for(CROWDS.slice(1))(AGREE, THOROUGH, agree)

describe.each(EACH)('%s', (code) => {
  const verdicts = async (twin: Twin) => {
    const { verdict } = await brokenBy(twin)
    const others = await otherVerdicts(verdict)
    expect(sorted(others.checked)).toEqual(sorted(verdict))
    if (!isLost(code, twin)) expect(sorted(others.built)).toEqual(withoutOrphans(verdict))
  }
  const alone = ALONE.includes(code) ? 1 : 0
  test.for(TWINS[code]?.slice(0, alone) ?? [])('%s with %s: %j gets one verdict', verdicts)
  test.for(TWINS[code]?.slice(alone) ?? [])('%s with %s: %j gets one verdict', THOROUGH, verdicts)

  const inPlace = async (twin: Twin) => {
    const [kind, member] = twin
    const { world, url, verdict } = await brokenBy(twin)
    expect(verdict.codes).toContain(code)
    expect(verdict.ok).toBe(!verdict.codes.some((each) => isRefusing(each as RuleCode)))
    if (code === 'file-orphan') return
    const [own, ...more] = verdict.problems.filter((found) => found.code === code)
    expect(more).toEqual([])
    expect(own?.place).toEqual({
      entry: `${kind}_000001.json`,
      record: world.records[kind]?.length,
      member: code === 'member-missing' && member === 'issue' ? 'issue' : member,
    })
    const name = typeof url === 'string' ? `${kind} ${url}` : kind
    expect(own?.message.startsWith(`${name}: ${member} `)).toBe(true)
  }
  const title = '%s with %s: %j is reported with its place'
  test.for(TWINS[code]?.slice(0, 1) ?? [])(title, inPlace)
  test.for(TWINS[code]?.slice(1) ?? [])(title, THOROUGH, inPlace)
})

test('Export, check and build agree about any value of any member', {
  ...THOROUGH,
  timeout: 3_600_000,
}, async () => {
  const members = Object.entries(looseWorld().records).flatMap(([kind, records]) =>
    memberPaths(kindNamed(kind) as Kind).flatMap((path) => {
      const places: string[] = []
      eachValue(records.at(-1) as JsonObject, path, (_, place) => places.push(place))
      return [
        ...places.slice(0, 1),
        ...(places.length === 0 && path.steps.length === 1 ? [path.text] : []),
      ].map((member) => [kind, member] as const)
    }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...members),
      fc.oneof(ODD, fc.jsonValue()),
      async ([kind, member], value) => {
        const world = looseWorld()
        breakOne(world, [kind, member, value])
        const verdict = await exported(world)
        const others = await otherVerdicts(verdict)
        expect(sorted(others.checked)).toEqual(sorted(verdict))
        expect(sorted(others.built)).toEqual(withoutOrphans(verdict))
      },
    ),
    { numRuns: runs(12) },
  )
})
