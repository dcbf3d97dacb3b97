import { describe, expect, test } from 'vitest'
import { ArchiveError, ERRORS, PROBLEMS, type Problem, type RuleCode } from '../../src/errors.ts'
import { RULES } from '../../src/export-archive/rules.ts'
import { exportArchive } from '../../src/export-archive.ts'
import type { JsonObject } from '../../src/records/json.ts'
import { collect } from '../../src/streams.ts'
import { untilError } from '../support/entries.ts'
import { ADA, asSource, KETTLE, type LooseWorld, looseWorld } from '../support/small-world.ts'

/** A record broken in one place: its kind, the member, and its value; undefined takes it away. */
type Change = ((world: LooseWorld) => void) | undefined
type Twin = readonly [kind: string, member: string, value: unknown, more?: Change]

const sha = 'a'.repeat(40)
const PICTURE = 'tarball://root/attachments/5d1c/läger.png'
const LABEL = `${KETTLE}/labels/good%20first%20issue`
const OTHER = { url: `${ADA}/pot`, git_url: 'tarball://root/repositories/ada/pot.git' }
const copyBefore = (kind: string, more: JsonObject) => (world: LooseWorld) => {
  const [first] = world.records[kind] ?? []
  world.records[kind]?.unshift({ ...structuredClone(first as JsonObject), ...more })
}

/** Broken twins of good records, by the rule that they break. */
const TWINS: { readonly [code in RuleCode]: readonly Twin[] } = {
  'rule-required-member': [
    ['users', 'name', undefined],
    ['users', 'login', null],
    ['issues', 'labels', undefined],
    ['repositories', 'git_url', null],
    ['pull_request_review_comments', 'pull_request_review_thread', null],
    ['attachments', 'asset_url', undefined],
  ],
  'rule-parent': [
    ['issue_comments', 'issue', undefined],
    ['issue_events', 'issue', `${KETTLE}/issues/1`],
    ['attachments', 'issue', null],
  ],
  'rule-type': [
    ['issues', 'title', 7],
    ['issues', 'created_at', 0],
    ['issues', 'type', 'pull_request'],
    ['repositories', 'private', 'no'],
    ['pull_requests', 'base', 'main'],
    ['pull_requests', 'base.ref', 1],
    ['pull_request_reviews', 'state', 'approved'],
    ['pull_request_reviews', 'state', 0.5],
    ['issues', 'labels[0]', 5],
    ['users', 'emails[0].primary', 'yes'],
  ],
  'rule-array': [
    ['users', 'emails', null],
    ['users', 'emails', 'ada@forge.example'],
    ['users', 'emails', ['ada@forge.example']],
    ['issues', 'reactions', null],
    ['releases', 'release_assets', {}],
  ],
  'rule-date': [
    ['issues', 'created_at', '2024-05-06T07:08:09.000Z'],
    ['issues', 'created_at', '2024-05-06T09:08:09+02:00'],
    ['issues', 'closed_at', '2024-05-06'],
    ['issues', 'created_at', '2023-02-29T00:00:00Z'],
    ['issues', 'created_at', '2023-02-28T24:00:00Z'],
    ['issues', 'reactions[0].created_at', 'yesterday'],
    ['repositories', 'labels[0].created_at', '2024-05-06T09:08:09+02:00'],
  ],
  'rule-sha': [
    ['pull_requests', 'base.sha', 'abc1234'],
    ['pull_requests', 'merge_commit_sha', sha.toUpperCase()],
    ['pull_request_reviews', 'head_sha', `${sha}0`],
    ['issue_events', 'commit_id', ''],
  ],
  'rule-color': [
    ['repositories', 'labels[0].color', '#ccccff'],
    ['issue_events', 'label_color', 'red'],
  ],
  'rule-branch-name': [
    ['repositories', 'default_branch', sha],
    ['pull_requests', 'head.ref', sha],
    ['protected_branches', 'name', sha],
  ],
  'rule-control-character': [
    ['repositories', 'description', 'two\nlines'],
    ['organizations', 'description', 'a\x1b[31m'],
    ['repositories', 'labels[0].description', 'a\tb'],
  ],
  'rule-wiki': [
    ['repositories', 'wiki_url', null],
    ['repositories', 'wiki_url', ''],
  ],
  'rule-url-shape': [
    ['users', 'url', 'ada'],
    ['users', 'url', 'https://forge.example/users/ada'],
    ['issue_events', 'url', `${KETTLE}/pull/2#9`],
    ['milestones', 'url', `${KETTLE}/milestones/hot`],
    ['repositories', 'labels[0].url', `${KETTLE}/labels/good first issue`],
    ['attachments', 'url', '/uploads/5d1c'],
  ],
  'rule-url-repeated': [
    ['issues', 'url', `${KETTLE}/issues/1`, copyBefore('issues', { title: 'Another' })],
    ['users', 'url', ADA, copyBefore('users', { name: 'Another' })],
    ['bots', 'url', ADA],
    ['organizations', 'url', ADA],
    ['repositories', 'labels[0].url', LABEL, copyBefore('repositories', OTHER)],
  ],
  'rule-reference': [
    ['issues', 'repository', `${ADA}/pot`],
    ['issues', 'user', `${ADA}s`],
    ['issues', 'milestone', `${KETTLE}/issues/1`],
    ['issues', 'labels[0]', `${KETTLE}/labels/bug`],
    ['repositories', 'owner', `${ADA}s`],
    ['pull_requests', 'base.repo', `${ADA}/pot`],
    ['pull_request_review_threads', 'pull_request_review', `${KETTLE}/pull/2/files#r5`],
    ['pull_request_review_comments', 'in_reply_to', `${KETTLE}/pull/2/files#r55`],
    ['teams', 'parent_team', 'https://forge.example/orgs/kitchen/teams/waiters'],
    ['discussions', 'discussion_category', `${KETTLE}/discussion_categories/Ideas`],
  ],
  'rule-path': [
    ['attachments', 'asset_url', 'https://forge.example/uploads/5d1c'],
    ['attachments', 'asset_url', 'tarball://root/releases/5d1c/l.png'],
    ['attachments', 'asset_url', 'tarball://root/attachments/../l.png'],
    ['attachments', 'asset_url', PICTURE, ({ files }) => void files.shift()],
    ['repositories', 'git_url', 'tarball://root/repositories/kettle.git'],
  ],
  'rule-shared-path': [
    ['attachments', 'asset_url', PICTURE, copyBefore('attachments', { url: `${ADA}/files/2` })],
  ],
}

/** The good world with the last record of a kind broken. */
function brokenWorld([kind, member, value, more]: Twin): { world: LooseWorld; url: unknown } {
  const world = looseWorld()
  more?.(world)
  const record = world.records[kind]?.at(-1) as JsonObject
  const way = member.split(/[.[\]]+/).filter(Boolean)
  const last = way.pop() as string
  // biome-ignore lint/suspicious/noExplicitAny: it is about members of any kind
  const parent = way.reduce<any>((inner, name) => inner[name], record)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return { world, url: record.url }
}

async function problemsOf(world: LooseWorld): Promise<Problem[]> {
  const problems: Problem[] = []
  const report = (problem: Problem) => void problems.push(problem)
  await collect(exportArchive(asSource(world), { force: true, report }))
  return problems
}

test('A good world breaks no rule', async () => {
  expect(await problemsOf(looseWorld())).toEqual([])
  await collect(exportArchive(asSource(looseWorld())))
})

test('Every rule has a code of its own with a remedy, a reason and a source', () => {
  expect(new Set(RULES.map(({ code }) => code)).size).toBe(RULES.length)
  for (const { code, why, source } of RULES) {
    expect(ERRORS[code]).toMatch(/\S/)
    expect(PROBLEMS[code]).toMatch(/\S/)
    expect(why).toMatch(/^[A-Z].*\.$/)
    expect(source).toMatch(/^[A-Z].*\.$/)
  }
})

test('Every rule has a broken twin, and no twin is without a rule', () => {
  const codes = RULES.map(({ code }) => code)
  expect(Object.keys(TWINS).sort()).toEqual(codes.sort())
  for (const code of codes) expect(TWINS[code].length, code).toBeGreaterThan(0)
})

describe.each(RULES)('$code', ({ code }) => {
  test.for(TWINS[code])('refuses %s with %s: %j', async (twin) => {
    const [kind, member] = twin
    const { world, url } = brokenWorld(twin)
    const { error } = await untilError(exportArchive(asSource(world)))
    expect(error).toBeInstanceOf(ArchiveError)
    const { message, place } = error as ArchiveError
    expect(error).toMatchObject({ code, place: { member } })
    expect(place.entry).toBe(`${kind}_000001.json`)
    expect(place.record).toBe(world.records[kind]?.length)
    expect(message.startsWith(`${kind} ${url}: ${member} `)).toBe(true)
  })

  test.for(TWINS[code])('reports %s with %s: %j, if it is to be written by force', async (twin) => {
    const problems = await problemsOf(brokenWorld(twin).world)
    const own = problems.filter((found) => found.code === code && found.place.member === twin[1])
    expect(own).toHaveLength(1)
  })
})
