import { describe, expect, it } from 'vitest'
import { parseOwnPatterns } from '../../../src/transform/redact/own-patterns.ts'
import { THOROUGH } from '../../support/thorough.ts'

const find = (lines: string[], text: string) =>
  [...(parseOwnPatterns(lines)?.find(text) ?? [])].map(({ value }) => value)

describe('Words and patterns of a user', () => {
  it('are found with their line in long and short texts', () => {
    const text = `Bluebird, XY-1234; ${'bluebirds '.repeat(2000)}and bluebird`
    expect(find(['# ours', 'bluebird', '/[A-Z]{2}-\\d{4}/'], text)).toEqual([
      'Bluebird',
      'bluebird',
      'XY-1234',
    ])
    expect(find(['/\\w+@corp/'], `${'x '.repeat(20_000)}jane@corp`)).toEqual(['jane@corp'])
  })

  it.each([
    [['a'.repeat(100_000)], 'also, line 1: the word has more than 2500 characters'],
    [['x', `/${'a'.repeat(501)}/`], 'also, line 2: the pattern has more than 500 characters'],
    [['/(\\p{L}{1,1000}){1000}/u'], 'also, line 1: a quantifier within a quantified group'],
  ])('are refused if they are too large: %.40j', (lines, message) => {
    const parse = () => find(lines, 'a\u0100')
    expect(parse).toThrow(expect.objectContaining({ code: 'option-invalid' }))
    expect(parse).toThrow(message)
  })

  it.each([2500, 30])('of the most characters are found: %i', (length) => {
    for (const letter of ['a', 'ſ', '水', '𝄞', '.']) {
      const word = letter.repeat(length / letter.length)
      expect(find([word], `x ${word} \u0100`)).toEqual([word])
    }
  })

  it('are refused once they take too long', THOROUGH, () => {
    const text = 'a'.repeat(20_000)
    const search = () => find(['x', '/a*a*a*a*b/'], text)
    const message = expect.stringMatching('^also, line 2: the pattern takes too long to search for')
    expect(search).toThrow(expect.objectContaining({ code: 'option-invalid', message }))
  })
})
