import { beforeAll, describe, expect, test } from 'vitest'
import { formatNodeId } from '../../../src/interface/node-id.ts'
import { ISSUE_EVENT_KINDS } from '../../../src/records/kinds/event-types.ts'
import '../../../src/rest/resources/activity-events.ts'
import '../../../src/rest/resources/issue-events.ts'
import { drawPicture } from '../../../src/rest/handlers/people/people.ts'
import { HOST, KETTLE, SHA, TODAY, worldRecords } from '../../support/rest-world.ts'
import { shareServer } from '../../support/serve-world.ts'
import {
  accountShape,
  activityShape,
  cardShape,
  expectShape,
  issueEventShape,
  issueShape,
  listedIssueShape,
  oneOf,
  organizationShape,
  PAYLOADS,
  repositoryShape,
  text,
} from '../../support/shapes.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const BASE = 'http://localhost:8730'
const ask = shareServer([worldRecords()], { clock: () => new Date(`${TODAY}T12:00:00Z`) })

type Item = Readonly<Record<string, unknown>>
const list = async (path: string, accept = 'application/json') =>
  (await ask<Item[]>(path, { accept })).body

const EVENTS = '/repos/forge/kettle/issues/events'

/** The events of the pull request, which has one of each kind. */
let pullEvents: Item[]
beforeAll(async () => {
  pullEvents = await list('/repos/forge/kettle/issues/2/events')
})

describe('The shape of', () => {
  test('every type of activity event', THOROUGH, async () => {
    const events = await list('/events')
    for (const event of events) expectShape(event, activityShape(String(event.type)))
    const types = new Set(events.map(({ type }) => type))
    expect([...types].sort()).toEqual(Object.keys(PAYLOADS).sort())
  })

  everyDay(6)(ISSUE_EVENT_KINDS)('an issue event: %s', (kind) => {
    const event = pullEvents.find((each) => each.event === kind)
    expectShape(event, issueEventShape(kind))
  })

  everyDay(4)(ISSUE_EVENT_KINDS)('an issue event with its issue: %s', async (kind) => {
    const { body } = await ask(`${EVENTS}/${pullEvents.find((each) => each.event === kind)?.id}`)
    expectShape(body, issueEventShape(kind, { issue: issueShape }))
  })

  test('an issue, and a pull request as one', async () => {
    for (const number of [1, 2, 3, 4]) {
      const { body } = await ask(`/repos/forge/kettle/issues/${number}`)
      expectShape(body, listedIssueShape)
      expect('pull_request' in body).toBe(number === 2)
    }
    for (const issue of await list('/repos/forge/kettle/issues'))
      expectShape(issue, listedIssueShape)
  })

  test('a repository', async () => {
    const { body } = await ask('/repos/forge/kettle')
    expectShape(body, repositoryShape)
    expect(body).toMatchObject({
      html_url: KETTLE,
      contents_url: `${BASE}/repos/forge/kettle/contents/{+path}`,
      ssh_url: 'git@forge.example:forge/kettle.git',
      topics: ['tea'],
      open_issues_count: 3,
      permissions: { admin: false, push: false, pull: true },
      updated_at: `${TODAY}T06:20:00Z`,
    })
  })

  test.each(['ada', 'steam[bot]', 'forge', 'ghost', 'BOB'])('the account %s', async (login) => {
    const { body } = await ask(`/users/${encodeURIComponent(login)}`)
    expectShape(body, accountShape)
  })

  test('an organization', async () => {
    expectShape((await ask('/orgs/forge')).body, organizationShape)
  })
})

describe('An issue event', () => {
  const eventOf = async (kind: string, accept?: string) =>
    (accept ? await list('/repos/forge/kettle/issues/2/events', accept) : pullEvents).find(
      ({ event }) => event === kind,
    )
  const STARFOX = 'application/vnd.service.starfox-preview+json'

  test('of an assignment has the assigned person as its actor, and who assigned', async () => {
    expect(await eventOf('assigned')).toMatchObject({
      actor: { login: 'bob' },
      assignee: { login: 'bob' },
      assignees: [{ login: 'bob' }],
      assigner: { login: 'ada' },
    })
  })

  test('of a deleted person has the ghost', async () => {
    expect(await eventOf('unassigned')).toMatchObject({
      actor: { login: 'ghost', id: 10137, html_url: `${HOST}/ghost`, type: 'User' },
      assignee: { login: 'ghost' },
    })
  })

  test('about a label that is gone has its name, and gray', async () => {
    expect(await eventOf('unlabeled')).toMatchObject({
      labels: [{ name: 'long gone', color: 'ededed' }],
    })
  })

  test('about a milestone has its title, by url too', async () => {
    expect(await eventOf('demilestoned')).toMatchObject({ milestone: { title: 'Summer' } })
  })

  test('about a team has the team', async () => {
    expect(await eventOf('review_request_removed')).toMatchObject({
      requested_team: { name: 'Cooks', slug: 'cooks', html_url: `${HOST}/orgs/forge/teams/cooks` },
    })
  })

  test('of a merge has the commit of the pull request if it names none', async () => {
    expect(await eventOf('merged')).toMatchObject({
      commit_id: SHA,
      commit_url: `${BASE}/repos/forge/kettle/commits/${SHA}`,
    })
  })

  test('of a dismissal has the last review before it', async () => {
    expect(await eventOf('review_dismissed')).toMatchObject({
      dismissed_review: { state: 'approved', review_id: 31, dismissal_message: null },
    })
  })

  test('of a lock has its reason only with the preview for it', async () => {
    const locked = await eventOf('locked', 'application/vnd.github.sailor-v-preview+json')
    expectShape(locked, issueEventShape('locked', { lock_reason: oneOf('too heated') }))
    expect(await eventOf('locked')).not.toHaveProperty('lock_reason')
  })

  test.each([
    'added_to_project',
    'moved_columns_in_project',
    'removed_from_project',
    'converted_note_to_issue',
  ])('about a board has no card if the board is gone: %s', async (kind) => {
    expectShape(await eventOf(kind, STARFOX), issueEventShape(kind))
  })

  test('of a renamed title has a type of its own in its id', async () => {
    const event = await eventOf('renamed')
    expect(event?.node_id).toBe(formatNodeId('RenamedTitleEvent', Number(event?.id)))
  })

  test('that an app made says so with the preview for it, of single events only', async () => {
    const accept = 'application/vnd.service.machine-man-preview'
    const { body } = await ask(`${EVENTS}/202`, { accept })
    const app = { slug: 'steam', owner: { login: 'forge' }, permissions: {}, events: [] }
    expect(body).toMatchObject({ performed_via_service_app: app, performed_via_github_app: app })
    const other = (await ask(`${EVENTS}/203`, { accept })).body
    expect(other).toMatchObject({ performed_via_service_app: null })
    const listed = await list('/repos/forge/kettle/issues/1/events', accept)
    expect(listed.some((each) => 'performed_via_service_app' in each)).toBe(false)
  })
})

test('A card on a board is of the shape that its kind has', () => {
  expectShape(
    { id: 1, project_id: 2, project_url: 'https://a', column_name: 'b' },
    cardShape(true, false),
  )
  expect(() => expectShape({ id: 1 }, cardShape(true, false, text))).toThrow()
})

test('Every address of the interface begins with the base of the request', async () => {
  const { body } = await ask('/api/v3/repos/forge/kettle/issues/1')
  const addresses = JSON.stringify(body).match(/"http:[^"]*"/g) ?? []
  expect(addresses.length).toBeGreaterThan(50)
  const outside = addresses.filter(
    (each) => !each.startsWith(`"${BASE}/api/v3/`) && !each.startsWith(`"${BASE}/_avatars/`),
  )
  expect(outside).toEqual([])
})

test('A picture is the same on both sides, and another for each number', () => {
  const squares = (number: string) =>
    [...drawPicture(number).matchAll(/M(\d) (\d)h/g)].map(([, x, y]) => `${x} ${y}`).toSorted()
  const mirrored = squares('17').map((place) => `${4 - Number(place[0])} ${place[2]}`)
  expect(mirrored.toSorted()).toEqual(squares('17'))
  expect(squares('17')).not.toEqual(squares('18'))
})
