import { describe, expect, test } from 'vitest'
import { kindNamed, kindOfRecord } from '../../../src/records/kinds/kind-of-record.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'

describe('kindOfRecord', () => {
  test.each(Object.entries(KINDS))('knows a record in a file of %s', (name, { type }) => {
    expect(kindOfRecord(name, { type })).toBe(name)
    expect(kindOfRecord(name, {})).toBe(name)
  })

  test('believes a type it knows more than the name of the file', () => {
    expect(kindOfRecord('Old_issues', { type: 'issue' })).toBe('issues')
    expect(kindOfRecord('issues', { type: 'pull_request' })).toBe('pull_requests')
  })

  test('takes a user in some other file for a user, not a bot', () => {
    expect(kindOfRecord('Old_bots', { type: 'user' })).toBe('users')
  })

  test.each(['task', '', 5, null, ['issue'], 'constructor', '__proto__'])(
    'believes the file where the type is %j',
    (type) => {
      expect(kindOfRecord('issues', { type })).toBe('issues')
      expect(kindOfRecord('gadgets', { type })).toBe('gadgets')
    },
  )
})

describe('kindNamed', () => {
  test('knows the kinds of the table', () => {
    expect(kindNamed('issues')).toBe(KINDS.issues)
  })

  test.each(['gadgets', 'Issues', 'issue', '', 'constructor', '__proto__', 'toString'])(
    'knows no %j',
    (name) => expect(kindNamed(name)).toBeUndefined(),
  )
})
