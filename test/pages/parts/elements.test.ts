import { describe, expect, test } from 'vitest'
import { withoutSigns } from '../../../src/pages/parts/elements.ts'

describe('A part of a text without the signs of Markdown', () => {
  test.each([
    ['I cannot tell **which one** is ready', 'I cannot tell which one is ready'],
    ['See [the log](https://example.org/a_b.txt).', 'See the log.'],
    ['What I see: ![two rings](https://example.org/1.png)', 'What I see: two rings'],
    ['```ts const a = 1``` ends', '```const a = 1``` ends'],
    ['`f(**options)` and `**more`', '`f(**options)` and `**more`'],
    ['2 ** 3 ** 4, a[1](2) and __init__', '2 ** 3 ** 4, a[1](2) and __init__'],
  ])('%s', (given, expected) => {
    expect(withoutSigns([{ text: given }])).toEqual([{ text: expected }])
  })

  test('keeps what was found, also where it is the target of a link', () => {
    const piecesOf = (text: string) =>
      text.split('|').map((piece, i) => ({ text: piece, matched: i % 2 === 1 }))
    expect(withoutSigns(piecesOf('a **green |tea|** [of |tea|](https://tea.example)'))).toEqual(
      piecesOf('a green |tea| of |tea|'),
    )
    const target = piecesOf('[a list](https://|tea|.example)')
    expect(withoutSigns(target)).toEqual(target)
  })
})
