import { describe, expect, it } from 'vitest'
import { createTimedSearch } from '../../../src/transform/redact/timed-search.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const searchFor = (pattern: RegExp, patience?: number) =>
  createTimedSearch(pattern, () => new Error('too slow'), patience)

describe('A search for a pattern', () => {
  it('finds the same in a short text as in a long one, which it may have to give up', () => {
    const search = searchFor(/\w+@corp|x?/g)
    const texts = ['jane@corp, x', `${'y '.repeat(20_000)}jane@corp, x`]
    expect(texts.map((text) => search(text).map((at) => text.slice(...at)))).toEqual([
      ['jane@corp', 'x'],
      ['jane@corp', 'x'],
    ])
  })

  everyDay(1)([
    [/a*a*a*a*b/g, 'a'.repeat(20_000)],
    [/\w+\w+\w+@/g, 'a'.repeat(20_000)],
    [new RegExp(`${'a?'.repeat(200)}b`, 'g'), 'a'.repeat(500)],
    [/(a+)\1\1b/g, 'a'.repeat(100_000)],
    [/a{1,900}a{1,900}b/g, 'a'.repeat(20_000)],
    [/(?:x|xx|xxx)y|(?:x|x)(?:x|x)+z/g, 'x'.repeat(100_000)],
  ])('ends in an error where it would take long: %s', (...row) => {
    const [pattern, text] = row as unknown as [RegExp, string]
    const begun = performance.now()
    expect(() => searchFor(pattern, 20)(text)).toThrow('too slow')
    expect(performance.now() - begun).toBeLessThan(5000)
  })

  it('ends in an error where many short texts take long together', THOROUGH, () => {
    const search = searchFor(/a*a*b/g, 100)
    expect(() => {
      for (let i = 0; i < 1000; i++) search('a'.repeat(400))
    }).toThrow('too slow')
  })

  it('has more time for more text', THOROUGH, () => {
    const search = searchFor(/\w+@corp/g, 20)
    for (let i = 0; i < 300; i++) search('some words, and jane@corp '.repeat(1000))
    expect(search('jane@corp')).toEqual([[0, 9]])
  })
})
