import { expect, test } from 'vitest'
import { closestMatch } from '../../src/base/closest-match.ts'

const WORDS = ['issues', 'issue_events', 'pull_requests', 'users', 'teams']

test.each([
  ['issue', 'issues'],
  ['pull', 'pull_requests'],
  ['isues', 'issues'],
  ['usres', 'users'],
  ['userss', 'users'],
  ['tems', 'teams'],
  ['issues', 'issues'],
])('%s is probably %s', (typed, word) => {
  expect(closestMatch(typed, WORDS)).toBe(word)
})

test.each(['kettle', 'us', 'xyz', '', 'a'])('%j is nothing like any of them', (typed) => {
  expect(closestMatch(typed, WORDS)).toBeUndefined()
})

test('Two letters are not taken for the beginning of a word; one letter may differ', () => {
  expect(closestMatch('te', WORDS)).toBeUndefined()
  expect(closestMatch('ab', ['ac'])).toBe('ac')
})

test('Without words there is no match', () => {
  expect(closestMatch('issues', [])).toBeUndefined()
})
