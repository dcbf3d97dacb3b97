import { expect, test } from 'vitest'
import { eventType, formatNodeId } from '../../src/interface/node-id.ts'

test.each([
  ['User', 17, '04:User17'],
  ['Organization', 70, '012:Organization70'],
  ['Repository', 281474976710657, '010:Repository281474976710657'],
] as const)('The node ID of %s %d is %s in Base64', (type, id, text) => {
  expect(Buffer.from(formatNodeId(type, id), 'base64').toString()).toBe(text)
})

test.each([
  ['closed', 'ClosedEvent'],
  ['moved_columns_in_project', 'MovedColumnsInProjectEvent'],
  ['renamed', 'RenamedTitleEvent'],
])('An event of kind %s has the type %s', (kind, type) => {
  expect(eventType(kind)).toBe(type)
})
