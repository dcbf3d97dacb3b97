/** Colours of the style sheet against each other, by the contrast of WCAG 2.2 (§ 1.4.3 and § 1.4.11). */

import { expect, test } from 'vitest'
import { ASSETS } from '../../../src/pages/assets.ts'

const STYLE = ASSETS.style.bytes.toString()

const THEMES = ['light', 'dark'] as const

/** The colours of a token: light and dark. */
const TOKENS = new Map(
  [...STYLE.matchAll(/--([a-z-]+): *light-dark\((#[0-9a-f]+), *(#[0-9a-f]+)\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
)

/** What text is printed in, and what it is printed on. */
const TEXT = ['fg', 'muted', 'link', 'ok', 'bad', 'warn', 'done']
const GROUNDS = ['bg', 'subtle']

const PAIRS: readonly (readonly [text: string, ground: string])[] = [
  ...TEXT.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)),
  ...['fg', 'muted', 'link'].map((text) => [text, 'inset'] as const),
  ...['own', 'hunk', 'ref', 'note', 'code', 'count'].map((ground) => ['fg', ground] as const),
  ...['add', 'add-n', 'del', 'del-n'].map((ground) => ['fg', ground] as const),
  ...['add', 'del', 'hunk', 'own'].map((ground) => ['muted', ground] as const),
  ['link', 'ref'],
  ['warn', 'note'],
]

function luminance(color: string): number {
  const hex = color.length === 4 ? color.replace(/[0-9a-f]/g, '$&$&') : color
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(left: string, right: string): number {
  const [dark = 0, light = 0] = [luminance(left), luminance(right)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const colorOf = (name: string, theme: (typeof THEMES)[number]): string => {
  const token = TOKENS.get(name)
  if (!token) throw new Error(`no token ${name}`)
  return token[theme]
}

test('Contrast is that of the examples of WCAG: black on white 21, grey #767676 on white 4.54', () => {
  expect(contrast('#000', '#fff')).toBeCloseTo(21)
  expect(contrast('#767676', '#fff')).toBeCloseTo(4.54, 2)
})

test.each(THEMES)('Text has a contrast of 4.5 to its ground in the %s theme', (theme) => {
  const faint = PAIRS.flatMap(([text, ground]) => {
    const ratio = contrast(colorOf(text, theme), colorOf(ground, theme))
    return ratio < 4.5 ? [`${text} on ${ground}: ${ratio.toFixed(2)}`] : []
  })
  expect(faint).toEqual([])
})

test.each(THEMES)('White has a contrast of 4.5 to states and initials in the %s theme', (theme) => {
  const states = ['open', 'merged', 'closed', 'draft'].map((name) => colorOf(name, theme))
  const initials = [...STYLE.matchAll(/\.(?:hue-\d+|ghost)\{background:(#[0-9a-f]{6})\}/g)]
  expect(initials).toHaveLength(13)
  const grounds = [...states, ...initials.map(([, color = '']) => color)]
  expect(grounds.filter((ground) => contrast('#fff', ground) < 4.5)).toEqual([])
})
