import { expect, test } from 'vitest'
import { EVENT_SENTENCES, eventSentence } from '../../../src/reading/threads/event-sentences.ts'
import { EVENT_TYPES } from '../../../src/records/kinds/event-types.ts'

test('Every event that is known has its sentence, and no other', () => {
  expect(Object.keys(EVENT_SENTENCES).sort()).toEqual(EVENT_TYPES.map(({ event }) => event).sort())
})

test.each(EVENT_TYPES.map(({ event }) => event))(
  '%s has a sentence without any of its members',
  (event) => {
    const sentence = eventSentence(event, {})
    expect(sentence).toMatch(/^[a-z][\w :,-]+\w$/)
    expect(sentence).not.toMatch(/ {2}| ,|undefined/)
  },
)

const MEMBERS_TOLD: Record<string, readonly string[]> = {
  // The url and colours say no more than the name.
  labeled: ['label_name'],
  unlabeled: ['label_name'],
  base_ref_force_pushed: ['ref', 'before_commit_oid', 'after_commit_oid'],
  head_ref_force_pushed: ['ref', 'before_commit_oid', 'after_commit_oid'],
}

test.each(EVENT_TYPES.map((kind) => [kind.event, kind] as const))(
  '%s uses its members',
  (event, { members }) => {
    const told = MEMBERS_TOLD[event] ?? members
    const words = Object.fromEntries(members.map((member) => [member, `<${member}>`]))
    for (const member of told) expect(eventSentence(event, words)).toContain(`<${member}>`)
  },
)

test.each([
  ['labeled', { label_name: 'bug' }, 'labeled this bug'],
  ['closed', { referencing_pull_request: '#9' }, 'closed this with #9'],
  ['closed', { commit_id: 'c0ffee0' }, 'closed this in commit c0ffee0'],
  ['renamed', { title_was: 'A', title_is: 'B' }, 'renamed this from “A” to “B”'],
  ['milestoned', { milestone: '1.0' }, 'added this to the 1.0 milestone'],
  ['assigned', { subject: 'ada' }, 'assigned ada'],
])('%s with %j: %s', (event, words, sentence) => {
  expect(eventSentence(event, words)).toBe(sentence)
})

test('An event of another host is told in words, or names that host', () => {
  expect(eventSentence('gitlab_time_tracking', {})).toBe('did what GitLab calls “time_tracking”')
  expect(eventSentence('cross-referenced', { subject: 'a/b#1' })).toBe('mentioned this in a/b#1')
})

test('An unknown event is named', () => {
  expect(eventSentence('teleported', {})).toBe('did what the host calls “teleported”')
  expect(eventSentence('constructor', {})).toBe('did what the host calls “constructor”')
})

test('Values of an event are not parsed as part of the sentence', () => {
  const words = { title_was: '[{title_is}]', title_is: '{ref|x}' }
  expect(eventSentence('renamed', words)).toBe('renamed this from “[{title_is}]” to “{ref|x}”')
})
