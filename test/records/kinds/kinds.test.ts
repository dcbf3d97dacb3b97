import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Derivation } from '../../../src/records/kinds/derivation.ts'
import { EVENT_TYPES } from '../../../src/records/kinds/event-types.ts'
import type { Column, Kind, Members } from '../../../src/records/kinds/kind.ts'
import { type ArchiveRecord, KINDS, type KindName } from '../../../src/records/kinds/kinds.ts'

const kinds: [string, Kind][] = Object.entries(KINDS)

/** Every column with its path, those inside of lists and objects included. */
function* columnsIn(members: Members, path: string): Generator<[string, Column]> {
  for (const [name, column] of Object.entries(members)) {
    const place = `${path}.${name}`
    yield [place, column]
    if (column.members) yield* columnsIn(column.members, place)
    if (!column.list) continue
    const { element } = column.list
    yield* isColumn(element) ? columnsIn({ '[]': element }, place) : columnsIn(element, place)
  }
}

const isColumn = (element: Column | Members): element is Column =>
  typeof element.storage === 'string'

function columnsOf(derivation: Derivation): readonly string[] {
  if (derivation.how === 'first-of') return derivation.of
  if (derivation.how !== 'state') return [derivation.of]
  return [derivation.closed, ...(derivation.merged === undefined ? [] : [derivation.merged])]
}

/** One line without a space at either end, closed as a sentence is. */
const oneSentence = /^\S(.*\S)?[.?]$/

describe.each(kinds)('The kind %s', (name, kind) => {
  const members = Object.keys(kind.columns)
  const derived = Object.entries(kind.derived)
  const columns = [...columnsIn(kind.columns, name)]

  test('has a summary and a url', () => {
    expect(kind.summary).toMatch(oneSentence)
    expect(members).toContain('url')
  })

  test('describes every column on one line', () => {
    for (const [place, { description }] of [...columns, ...derived]) {
      expect(description, place).toMatch(oneSentence)
    }
  })

  test('refers to kinds of the table or to labels', () => {
    for (const [place, { refersTo = [] }] of columns) {
      for (const table of refersTo)
        expect([...Object.keys(KINDS), 'labels'], place).toContain(table)
    }
  })

  test('names the thing in each of its lists of plain values', () => {
    for (const [place, { list }] of columns) {
      if (list && isColumn(list.element)) expect(list.name, place).toMatch(/^[a-z_]+$/)
    }
  })

  test('derives columns only from those before them', () => {
    const known = [...members]
    for (const [column, { from }] of derived) {
      for (const source of columnsOf(from)) expect(known, `${name}.${column}`).toContain(source)
      known.push(column)
    }
  })

  test('derives members only of objects that have them', () => {
    for (const [column, { from }] of derived) {
      if (from.how !== 'member') continue
      const object: Column | undefined = kind.columns[from.of]
      expect(Object.keys(object?.members ?? {}), `${name}.${column}`).toContain(from.member)
    }
  })

  test('gives no derived column the name of a member or of a column of the database', () => {
    const taken = [
      ...members,
      'type',
      '_extra',
      '_member_order',
      '_archive',
      '_entry',
      '_record_number',
    ]
    for (const [column] of derived) expect(taken).not.toContain(column)
  })

  test('gives no member the name of a column of the database', () => {
    for (const member of members) expect(member).toMatch(/^(?!type$)[a-z][a-z_]*$/)
  })
})

describe('The table of kinds', () => {
  test('has every kind that the host documents', () => {
    const documented = [
      'attachments',
      'bases',
      'commit_comments',
      'issue_comments',
      'issue_events',
      'issues',
      'milestones',
      'organizations',
      'projects',
      'protected_branches',
      'pull_request_reviews',
      'pull_requests',
      'releases',
      'repositories',
      'review_comments',
      'users',
    ]
    expect(Object.keys(KINDS)).toEqual(expect.arrayContaining(documented))
  })

  test('distinguishes all types except those of users and bots', () => {
    const types = kinds.filter(([name]) => name !== 'bots').map(([, kind]) => kind.type)
    expect(new Set(types).size).toBe(types.length)
    expect(KINDS.bots.type).toBe(KINDS.users.type)
  })

  test('says in one place what an event belongs to', () => {
    expect(Object.keys(KINDS.issue_events.columns).slice(0, 3)).toEqual([
      'url',
      'issue',
      'pull_request',
    ])
  })
})

describe('The event kinds', () => {
  const events = EVENT_TYPES.map(({ event }) => event)

  test('are unique and in order', () => {
    expect(events).toEqual([...new Set(events)].sort())
  })

  test('have a meaning on one line', () => {
    for (const { event, meaning } of EVENT_TYPES) expect(meaning, event).toMatch(oneSentence)
  })

  test('bring only members that a record may leave out', () => {
    for (const { event, members } of EVENT_TYPES) {
      for (const member of members) {
        expect(KINDS.issue_events.columns[member].optional, `${event}.${member}`).toBe(true)
      }
    }
  })

  test('are all twenty-eight that the host documents', () => {
    const documented = EVENT_TYPES.filter(({ source }) => source === 'documented')
    expect(documented.map(({ event }) => event)).toEqual([
      'added_to_project',
      'assigned',
      'closed',
      'converted_note_to_issue',
      'demilestoned',
      'head_ref_deleted',
      'head_ref_restored',
      'labeled',
      'locked',
      'marked_as_duplicate',
      'mentioned',
      'merged',
      'milestoned',
      'moved_columns_in_project',
      'referenced',
      'removed_from_project',
      'renamed',
      'reopened',
      'review_dismissed',
      'review_request_removed',
      'review_requested',
      'subscribed',
      'transferred',
      'unassigned',
      'unlabeled',
      'unlocked',
      'unmarked_as_duplicate',
      'user_blocked',
    ])
    expect(documented).toHaveLength(28)
  })

  test('go beyond the documentation', () => {
    expect(events).toEqual(
      expect.arrayContaining(['convert_to_draft', 'head_ref_force_pushed', 'unpinned']),
    )
  })
})

describe('The type of a record', () => {
  test('follows from the table', () => {
    expectTypeOf<'issues' | 'bots' | 'review_comments'>().toExtend<KindName>()
    expectTypeOf<'labels'>().not.toExtend<KindName>()
  })

  test('knows the members of an issue', () => {
    type Issue = ArchiveRecord<'issues'>
    expectTypeOf<Issue['type']>().toEqualTypeOf<'issue'>()
    expectTypeOf<Issue['title']>().toEqualTypeOf<string | null>()
    expectTypeOf<Issue['labels']>().toEqualTypeOf<string[]>()
    expectTypeOf<NonNullable<Issue['reactions']>[number]['content']>().toEqualTypeOf<
      string | null
    >()
    expectTypeOf<undefined>().toExtend<Issue['reactions']>()
    expectTypeOf<undefined>().not.toExtend<Issue['closed_at']>()
  })

  test('knows the members of a pull request', () => {
    type PullRequest = ArchiveRecord<'pull_requests'>
    expectTypeOf<PullRequest['type']>().toEqualTypeOf<'pull_request'>()
    expectTypeOf<PullRequest['work_in_progress']>().toEqualTypeOf<boolean | null>()
    expectTypeOf<PullRequest['head']>().toBeNullable()
    expectTypeOf<NonNullable<PullRequest['head']>['repo']>().toEqualTypeOf<string | null>()
    expectTypeOf<PullRequest['review_requests'][number]['reviewer']>().toEqualTypeOf<
      string | null
    >()
    expectTypeOf<PullRequest['merge_commit_sha']>().toEqualTypeOf<string | null | undefined>()
  })

  test('takes a record as the host writes it', () => {
    expectTypeOf({
      type: 'discussion_category' as const,
      url: 'https://github.com/o/r/discussion_categories/Ideas',
      repository: 'https://github.com/o/r',
      name: 'Ideas',
      emoji: ':bulb:',
      description: null,
    }).toExtend<ArchiveRecord<'discussion_categories'>>()
  })
})
