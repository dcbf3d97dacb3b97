import { describe, expect, test } from 'vitest'
import {
  createLineSplitter,
  parseLooseRef,
  parsePackedRefs,
} from '../../../src/git/parse/parse-refs.ts'

const A = 'a'.repeat(40)
const B = 'b'.repeat(40)

/** Parses packed-refs in chunks of this size. */
function packed(text: string | Buffer, size = 1_000_000): unknown[] {
  const found: unknown[] = []
  const { line, end } = parsePackedRefs((ref) => found.push(ref))
  const lines = createLineSplitter(5000, line)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) lines.see(bytes.subarray(at, at + size))
  lines.end()
  end()
  return found
}

describe('packed-refs', () => {
  const usual = `# pack-refs with: peeled fully-peeled sorted \n${A} refs/heads/main\n${B} refs/tags/v1\n^${A}\n${A} refs/tags/v2\n`
  const refs = [
    { name: 'refs/heads/main', oid: A },
    { name: 'refs/tags/v1', oid: B, peeled: A },
    { name: 'refs/tags/v2', oid: A },
  ]

  test.each([1, 7, 64, 1_000_000])('in pieces of %d bytes have all refs', (size) => {
    expect(packed(usual, size)).toEqual(refs)
  })

  test('may lack the last line feed', () => {
    expect(packed(usual.trimEnd())).toEqual(refs)
    expect(packed(`${B} refs/tags/v1\n^${A}`)).toEqual([
      { name: 'refs/tags/v1', oid: B, peeled: A },
    ])
  })

  test('may be empty', () => {
    expect(packed('')).toEqual([])
  })

  test.each([
    ['a line without a ref', `${A}\n`],
    ['an object of 39 digits', `${A.slice(1)} refs/heads/main\n`],
    ['a name outside of refs', `${A} HEAD\n`],
    ['dots that lead out', `${A} refs/heads/../../x\n`],
    ['@{', `${A} refs/heads/a@{1}\n`],
    ['a control character', `${A} refs/heads/a\u0007\n`],
    ['a lock', `${A} refs/heads/main.lock\n`],
    ['no name at all', `${A} refs/heads/\n`],
    ['a peeled line of no object', '^v1\n'],
    ['what is peeled twice', `${A} refs/tags/v0\n^${B}\n^${B}\n`],
    ['a line too long', `${A} refs/heads/${'x'.repeat(5000)}\n`],
    ['zeros', '\0'.repeat(300)],
  ])('G5: with %s keep the others', (_, line) => {
    const found = packed(`${A} refs/heads/a\n${line}${B} refs/heads/b\n`)
    expect(found).toContainEqual({ name: 'refs/heads/a', oid: A })
    expect(found.some((ref) => (ref as { wrong?: string }).wrong?.match(/\S/))).toBe(true)
    if (!line.startsWith('\0')) expect(found.at(-1)).toEqual({ name: 'refs/heads/b', oid: B })
  })

  test('G5: that begin with what something is peeled to have nothing it belongs to', () => {
    expect(packed(`^${A}\n`)).toEqual([
      { code: 'git-refs-damaged', wrong: expect.stringMatching(/expected an object/) },
    ])
  })

  test('G5: with a name that is not UTF-8 keep it as far as it goes, and say so', () => {
    const line = Buffer.from(`${A} refs/heads/gr\xfcn\n`, 'latin1')
    expect(packed(line)).toEqual([
      { code: 'git-ref-invalid', wrong: 'the name "refs/heads/gr�n" is not UTF-8' },
      { name: 'refs/heads/gr�n', oid: A },
    ])
  })

  test('G5: may name a branch like a commit, or with more than 255 bytes', () => {
    const long = `refs/heads/${'x'.repeat(300)}`
    expect(packed(`${A} refs/heads/${B}\n${A} ${long}\n`)).toEqual([
      { name: `refs/heads/${B}`, oid: A },
      { name: long, oid: A },
    ])
  })
})

describe('A ref in a file of its own', () => {
  const parse = (text: string, name = 'refs/heads/main') => parseLooseRef(name, Buffer.from(text))

  test.each([
    [`${A}\n`, { name: 'refs/heads/main', oid: A }],
    [A.toUpperCase(), { name: 'refs/heads/main', oid: A }],
    [`${A} and more\n`, { name: 'refs/heads/main', oid: A }],
    ['ref: refs/heads/other\n', { name: 'refs/heads/main', target: 'refs/heads/other' }],
    ['ref:\trefs/heads/other', { name: 'refs/heads/main', target: 'refs/heads/other' }],
    ['c'.repeat(64), { name: 'refs/heads/main', oid: 'c'.repeat(64) }],
  ])('holds %j', (text, ref) => {
    expect(parse(text)).toEqual(ref)
  })

  test.each([
    ['', 'refs/heads/main'],
    ['ref: ../../../etc/passwd\n', 'HEAD'],
    ['ref: refs/heads/../x\n', 'HEAD'],
    ['ref:\n', 'HEAD'],
    [`${A}a\n`, 'refs/heads/main'],
    [`${A}\n`, 'refs/heads/main.lock'],
    [`${A}\n`, 'refs/heads/a..b'],
    [`${A}\n`, 'refs/heads'],
    ['x'.repeat(5000), 'refs/heads/main'],
    [`ref: refs/heads/${'x'.repeat(4096)}`, 'HEAD'],
  ])('G5: is none that Git takes: %.20j in %s', (text, name) => {
    expect(parse(text, name)).toEqual({
      code: expect.stringMatching(/^git-refs?-(?:invalid|damaged)$/),
      wrong: expect.stringMatching(/\S/),
    })
  })
})
