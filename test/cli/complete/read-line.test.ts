import { describe, expect, test } from 'vitest'
import { defineCommand } from '../../../src/cli/command/command.ts'
import { readLine } from '../../../src/cli/complete/read-line.ts'

const command = defineCommand({
  usage: '<source> [name]',
  examples: [],
  options: {
    source: { type: 'string', describe: 'A source.' },
    name: { type: 'string', describe: 'A name.' },
    force: { type: 'boolean', alias: 'f', describe: 'A flag.' },
    limit: { type: 'string', alias: 'n', describe: 'A value.' },
    rename: { type: 'string', nargs: 2, describe: 'Two values.' },
  },
  run: async () => 0,
})

const read = (line: string) => readLine(command as never, line === '' ? [] : line.split(' '))

describe('The words before the one to complete are', () => {
  test.each([
    ['', { placed: [], options: {}, open: undefined }],
    ['a.db', { placed: ['a.db'], options: {}, open: undefined }],
    ['-', { placed: ['-'], options: {}, open: undefined }],
    ['--force a.db', { placed: ['a.db'], options: { force: [] }, open: undefined }],
    ['-f a.db', { placed: ['a.db'], options: { force: [] }, open: undefined }],
    ['--limit', { placed: [], options: { limit: [] }, open: { name: 'limit', index: 0 } }],
    ['-n 3 a.db', { placed: ['a.db'], options: { limit: ['3'] }, open: undefined }],
    ['--limit=3=4', { placed: [], options: { limit: ['3=4'] }, open: undefined }],
    ['--limit --force', { placed: [], options: { limit: ['--force'] }, open: undefined }],
    ['--rename a', { placed: [], options: { rename: ['a'] }, open: { name: 'rename', index: 1 } }],
    ['--rename a b c', { placed: ['c'], options: { rename: ['a', 'b'] }, open: undefined }],
    ['--unknown a.db', { placed: ['a.db'], options: {}, open: undefined }],
    ['--__proto__ a.db', { placed: ['a.db'], options: {}, open: undefined }],
  ])('%j', (line, expected) => {
    expect(read(line)).toEqual({ ...expected, onlyPlaces: false })
  })

  test('all positional after --', () => {
    expect(read('-n 3 -- --force -x')).toEqual({
      placed: ['--force', '-x'],
      options: { limit: ['3'] },
      open: undefined,
      onlyPlaces: true,
    })
  })
})
