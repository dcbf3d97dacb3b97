import { describe, expect, test } from 'vitest'
import { type Commit, parseCommit, subjectOf } from '../../../src/git/parse/parse-commit.ts'
import { localTimeOf, parsePerson, timeOf } from '../../../src/git/parse/parse-person.ts'
import { THOROUGH } from '../../support/thorough.ts'

const TREE = 'a'.repeat(40)
const UNCUT = { isShallow: () => false }

const commit = (headers: string, message = 'Words\n', encoding: BufferEncoding = 'utf8'): Commit =>
  parseCommit(
    {
      oid: 'b'.repeat(40),
      type: 'commit',
      content: Buffer.from(`tree ${TREE}\n${headers}\n${message}`, encoding),
    },
    UNCUT,
  )

describe('A person', () => {
  test.each([
    [
      'Ada Kettle <ada@forge.example> 1714564800 +0200',
      'Ada Kettle',
      'ada@forge.example',
      1714564800,
      '+0200',
    ],
    ['<ada@forge.example> 0 -0330', '', 'ada@forge.example', 0, '-0330'],
    ['Ada <> -1 +0000', 'Ada', '', -1, '+0000'],
    ['Ada < ada@x > 5 +0000', 'Ada', 'ada@x', 5, '+0000'],
    ['Ada <ada@x>', 'Ada', 'ada@x', undefined, '+0000'],
    ['Ada <ada@x> 12', 'Ada', 'ada@x', 12, '+0000'],
    ['Ada <ada@x> 12 +02000', 'Ada', 'ada@x', 12, '+0000'],
    ['A <B> <ada@x> 12 +0100', 'A', 'B', 12, '+0100'],
    ['Ada', 'Ada', '', undefined, '+0000'],
    ['', '', '', undefined, '+0000'],
  ])('is read from %j', (line, name, email, seconds, zone) => {
    expect(parsePerson(line)).toEqual({ name, email, seconds, zone })
  })

  test.each([
    ['1714564800 +0200', '2024-05-01T12:00:00Z', '2024-05-01T14:00:00+02:00'],
    ['1714564800 -0330', '2024-05-01T12:00:00Z', '2024-05-01T08:30:00-03:30'],
    ['0 +0000', '1970-01-01T00:00:00Z', '1970-01-01T00:00:00+00:00'],
    ['-1 +0000', '1969-12-31T23:59:59Z', '1969-12-31T23:59:59+00:00'],
    ['253402300799 +0000', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59+00:00'],
    ['253402300800 +0000', null, null],
    ['99999999999999999999999 +0000', null, null],
    ['', null, null],
  ])('has the time of %j', (date, utc, local) => {
    const person = parsePerson(`Ada <ada@x> ${date}`)
    expect([timeOf(person), localTimeOf(person)]).toEqual([utc, local])
  })
})

describe('A commit', () => {
  test('has the parents that directly follow its tree, and the first of other lines', () => {
    const [B, C, D] = ['b', 'c', 'd'].map((digit) => digit.repeat(40))
    const { parents, author } = commit(
      `parent ${B}\nparent ${C}\nauthor Ada <a@x> 1 +0000\nparent ${D}\nauthor Bo <b@x> 2 +0000\n`,
    )
    expect(parents).toEqual([B, C])
    expect(author.name).toBe('Ada')
    expect(commit(`nonsense\nparent ${B}\n`).parents).toEqual([])
  })

  test('may bring lines of several lines, such as signatures', () => {
    const { committer, message } = commit(
      'author Ada <a@x> 1 +0000\ngpgsig -----BEGIN-----\n \n author Eve <e@x> 2 +0000\n -----END-----\ncommitter Bo <b@x> 3 +0000\n',
    )
    expect([committer.name, message]).toEqual(['Bo', 'Words\n'])
  })

  test('is read in the encoding that it names, if that is known', () => {
    const author = 'author \xe9 <e@x> 1 +0000\n'
    const { author: named, message } = commit(`${author}encoding ISO-8859-1\n`, '\xfc', 'latin1')
    expect([named.name, message]).toEqual(['é', 'ü'])
    expect(commit(`${author}encoding nonsense\n`, 'x', 'latin1').author.name).toBe('\ufffd')
    expect(commit(author, '\xfc', 'latin1').message).toBe('\ufffd')
    expect(commit('', '\ufeffwith a mark').message).toBe('\ufeffwith a mark')
  })

  test('may have a signature of a million lines', THOROUGH, () => {
    const lines = `gpgsig x\n${' y\n'.repeat(2 ** 20)}`
    expect(commit(`${lines}author Ada <a@x> 1 +0000\n`).author.name).toBe('Ada')
  })

  test('may have no message, and nothing but a tree', () => {
    expect(commit('', '')).toMatchObject({ parents: [], message: '', author: { name: '' } })
    const content = Buffer.from(`tree ${TREE}`)
    expect(parseCommit({ oid: TREE, type: 'commit', content }, UNCUT).message).toBe('')
  })
})

test.each([
  ['One\n\nTwo\n', 'One'],
  ['One\nand more\n\nTwo', 'One and more'],
  ['\n\n  One \n\t\nTwo', '  One'],
  ['', ''],
  ['\n\n', ''],
])('The subject of %j is %j', (message, subject) => {
  expect(subjectOf({ message })).toBe(subject)
})
