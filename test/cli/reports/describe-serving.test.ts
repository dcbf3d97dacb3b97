import { expect, test } from 'vitest'
import { describeRequest } from '../../../src/cli/reports/describe-serving.ts'

const entry = {
  time: new Date('2024-05-01T12:00:00Z'),
  method: 'GET',
  path: '/repos/ada/kettle',
  status: 200,
  bytes: 1536,
  milliseconds: 1.25,
  login: undefined,
  requestId: 'f-1',
}

test('A request is one line: time, request, status, size, duration, login, id', () => {
  expect(`${describeRequest(entry)}`).toBe(
    '2024-05-01T12:00:00.000Z GET /repos/ada/kettle 200 1.5 KiB 1.3 ms - f-1',
  )
  expect(`${describeRequest({ ...entry, login: 'ada' })}`).toContain(' ms ada f-1')
})

test('T6: escape sequences and line breaks of a caller are shown, not sent to the terminal', () => {
  const path = '/\x1b[2J\n2024-05-01T12:00:00.000Z GET /forged 200'
  const line = `${describeRequest({ ...entry, path, method: 'G\x07T', login: '\u202eada' })}`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  expect(line).not.toMatch(/[\x00-\x1f\u202e]/)
  expect(line).toContain('forged')
})

test('A fault of the server is told below, each line on its own, without escape sequences', () => {
  const fault = 'Error: broken\n    at a\x1b[2J.ts'
  const [line, ...stack] = `${describeRequest({ ...entry, status: 500, fault })}`.split('\n')
  expect(line).toContain(' 500 ')
  expect(stack.length).toBe(2)
  expect(stack[0]).toBe('  Error: broken')
  expect(stack[1]).not.toContain('\x1b')
})
