import { expect, test } from 'vitest'
import { PLAIN_STYLES } from '../../../../src/cli/output/styles.ts'
import { describeImport } from '../../../../src/cli/reports/check/import-table.ts'
import type { ImportLine } from '../../../../src/conformance/checks/importer.ts'
import { EVIL } from '../../../support/archives.ts'

const line = (kind: string, more: Partial<ImportLine> = {}): ImportLine => ({
  kind,
  records: 1,
  taken: 1,
  changed: 0,
  notTaken: 0,
  why: null,
  known: 'documented',
  source: 'a page',
  ...more,
})

const textOf = (lines: readonly ImportLine[], columns = 40) =>
  [...describeImport(lines, PLAIN_STYLES, columns)].join('')

test('counts what there is, and says why of what does not arrive as it is', () => {
  const lines = [
    line('issues', { records: 1200, taken: 1200 }),
    line('users', { taken: 0, changed: 1, why: 'They become mannequins' }),
    line('packages', { records: null, taken: 0, why: 'Publish them again', known: 'guessed' }),
  ]
  expect(textOf(lines)).toBe(`
kind    records  taken  changed  not taken
------  -------  -----  -------  ---------
issues     1200   1200
users         1               1

Changed, not taken, or in no archive
- users: They become mannequins
  (documented: a page)
- packages: Publish them again (guessed:
  a page)
`)
})

test('prints nothing without lines', () => {
  expect(textOf([])).toBe('')
})

test('T6: prints no control characters of the name of a kind', () => {
  const text = textOf([line(`evil${EVIL}`, { taken: 0, notTaken: 1, why: 'Unknown' })], 80)
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
