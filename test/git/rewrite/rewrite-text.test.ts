import { describe, expect, test } from 'vitest'
import { rewriteText } from '../../../src/git/rewrite/rewrite-text.ts'
import { expectLinear } from '../../support/cpu-time.ts'

const OLD = 'a'.repeat(40)
const NEW = 'b'.repeat(40)

const rewrite = (text: string, encoding: BufferEncoding = 'utf8'): string => {
  const edits = {
    idOf: (oid: string) => (oid === OLD ? NEW : oid),
    personOf: ({ name, email }: { name: string; email: string }) =>
      email === 'ada@forge.example' ? { name: 'X', email: 'x@y.invalid' } : { name, email },
  }
  return rewriteText(Buffer.from(text, encoding), edits).toString(encoding)
}

const ADA = 'Ada <ada@forge.example> 1714564800 +0200'
const BO = 'Bo  <bo@forge.example> 1714564800 -0330'
const X = 'X <x@y.invalid> 1714564800 +0200'
const SIGNATURE = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc=\n -----END PGP SIGNATURE-----'
const TREE = `tree ${'c'.repeat(40)}`

describe('A commit', () => {
  test.each([
    [
      'without a name that changes, with a signature, stays as it is',
      `${TREE}\nauthor ${BO}\ncommitter ${BO}\n${SIGNATURE}\n\nHi\n`,
      `${TREE}\nauthor ${BO}\ncommitter ${BO}\n${SIGNATURE}\n\nHi\n`,
    ],
    [
      'loses its signatures if a name changes',
      `${TREE}\nauthor ${ADA}\ncommitter ${BO}\n${SIGNATURE}\ngpgsig-sha256 a\n b\nencoding UTF-8\n\nHi\n`,
      `${TREE}\nauthor ${X}\ncommitter ${BO}\nencoding UTF-8\n\nHi\n`,
    ],
    [
      'has new parents, and those that are not here',
      `${TREE}\nparent ${OLD}\nparent ${'d'.repeat(40)}\nauthor ${BO}\n\n`,
      `${TREE}\nparent ${NEW}\nparent ${'d'.repeat(40)}\nauthor ${BO}\n\n`,
    ],
    [
      'loses the tags that it merged, which name people and have signatures',
      `${TREE}\nauthor ${BO}\nmergetag object ${OLD}\n type commit\n tagger ${ADA}\n \n Hi\n\nHi`,
      `${TREE}\nauthor ${BO}\n\nHi`,
    ],
    [
      'credits people in lines of its message alone',
      `${TREE}\nauthor ${BO}\n\nBy Ada <ada@forge.example>\n\nco-authored-by: Ada <ada@forge.example>\nSigned-off-by: ${BO}\n`,
      `${TREE}\nauthor ${BO}\n\nBy Ada <ada@forge.example>\n\nco-authored-by: X <x@y.invalid>\nSigned-off-by: ${BO}\n`,
    ],
    ['without a message or end is read', `${TREE}\nauthor ${ADA}`, `${TREE}\nauthor ${X}`],
    [
      'with a person in no form at all stays',
      `${TREE}\nauthor nobody\ncommitter <\n\nHi`,
      `${TREE}\nauthor nobody\ncommitter <\n\nHi`,
    ],
  ])('%s', (_, before, after) => {
    expect(rewrite(before)).toBe(after)
  })

  test('keeps bytes of other encodings', () => {
    const message = '\n\n\xe9\xff\n'
    expect(rewrite(`${TREE}\nauthor ${ADA}${message}`, 'latin1')).toBe(
      `${TREE}\nauthor ${X}${message}`,
    )
  })

  test('is read in time linear in a hostile message', () => {
    expectLinear((runs) => {
      const message = `${'a-by: <'.repeat(runs)}\n${'a'.repeat(runs)}`
      return () => rewrite(`${TREE}\nauthor ${BO}\n\n${message}`)
    }, 100_000)
  })
})

test.each(['PGP SIGNATURE', 'SSH SIGNATURE', 'SIGNED MESSAGE'])(
  'A tag loses its %s, and names the new commit',
  (kind) => {
    const tag = (oid: string, end: string) =>
      `object ${oid}\ntype commit\ntag v1\ntagger ${BO}\n\nFirst\n${end}`
    const signature = `-----BEGIN ${kind}-----\nabc\n-----END ${kind}-----\n`
    expect(rewrite(tag(OLD, signature))).toBe(tag(NEW, ''))
    expect(rewrite(tag('d'.repeat(40), signature))).toBe(tag('d'.repeat(40), signature))
  },
)

describe('A text is edited', () => {
  const masked = (text: string, encoding: BufferEncoding = 'utf8') => {
    const edits = {
      idOf: (oid: string) => oid,
      personOf: (person: { name: string; email: string }) => person,
      textOf: (of: string) => of.replace(/\S+@forge\.example|Zoë/g, '[x]'),
    }
    return rewriteText(Buffer.from(text, encoding), edits).toString(encoding)
  }
  const utf8 = (text: string) => Buffer.from(text).toString('latin1')

  test.each([
    ['in a header of another program', `${TREE}\nrebase-by ada@forge.example\n\nHi`],
    ['in a header without a name', `${TREE}\nada@forge.example\n\nHi`],
    ['in a name of an encoding', `${TREE}\nencoding ada@forge.example\n\nHi`],
    ['in a line about nobody', `${TREE}\nauthor ada@forge.example 1714564800 +0200\n\nHi`],
    ['behind a person', `${TREE}\nauthor Bo <bo@x> ada@forge.example 1714564800 +0200\n\nHi`],
  ])('%s', (_, text) => {
    expect(masked(text)).toBe(text.replace('ada@forge.example', '[x]'))
  })

  test('in a signature, which is lost', () => {
    const signature = SIGNATURE.replace('abc=', 'Comment: ada@forge.example')
    expect(masked(`${TREE}\nauthor ${BO}\n${signature}\n\nHi`)).toBe(`${TREE}\nauthor ${BO}\n\nHi`)
  })

  test('in UTF-8 among bytes of another encoding, and in these', () => {
    const head = `${TREE}\nauthor ${BO}\n\nGr\xfc\xdfe: `
    expect(masked(`${head}${utf8('Zoë')}, Zo\xeb`, 'latin1')).toBe(`${head}[x], [x]`)
    expect(masked(`${head}\xff\xc3`, 'latin1')).toBe(`${head}\xff\xc3`)
  })

  test('between zeros, which go', () => {
    const wide = Buffer.from('ada@forge.example there', 'utf16le').toString('latin1')
    const head = `${TREE}\nauthor ${BO}\n\n`
    expect(masked(head + wide, 'latin1')).toBe(`${head}[x] there`)
    expect(masked(`${head}a\0b`, 'latin1')).toBe(`${head}a\0b`)
  })
})
