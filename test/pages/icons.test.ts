import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { ICON_PATHS } from '../../src/pages/icon-paths.ts'
import { type IconName, icon } from '../../src/pages/icons.ts'

type Octicons = Readonly<Record<string, { heights: { 16: { path: string } } }>>
const octicons = createRequire(import.meta.url)('@primer/octicons') as Octicons

test.each(Object.keys(ICON_PATHS))('The icon %s is the one of Octicons', (name) => {
  const { path = '' } = octicons[name]?.heights[16] ?? {}
  const drawn = [...path.matchAll(/ d="([^"]+)"/g)].map(([, d]) => d).join('')
  expect(ICON_PATHS[name as IconName]).toBe(drawn)
  expect(String(icon(name as IconName))).toContain('aria-hidden="true"')
})
