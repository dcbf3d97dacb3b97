import { expect, test } from 'vitest'
import { createGitValues, partOfGitFile } from '../../../src/transform/redact/git-parts.ts'

test.each([
  ['HEAD', 'refs'],
  ['refs/heads/config', 'refs'],
  ['packed-refs', 'refs'],
  ['info/refs', 'refs'],
  ['FETCH_HEAD', 'logs'],
  ['logs/refs/heads/main', 'logs'],
  ['config', 'config'],
  ['description', 'description'],
  ['hooks/config', 'others'],
  ['info/exclude', 'others'],
])('%s belongs to the part %s', (name, part) => {
  expect(partOfGitFile(name)).toBe(part)
})

test('A value counts once in each part, and once in all of them', () => {
  const values = createGitValues()
  for (const part of ['authors', 'authors', 'messages'] as const) {
    values.note(part, 'email', 'ada@forge.example')
  }
  values.note('authors', 'name', 'Ada')
  values.noteChange('files')
  expect([values.in('authors'), values.in('messages'), values.in('files')]).toEqual([2, 1, 0])
  expect([values.has('files'), values.has('notes')]).toEqual([true, false])
  expect(values.byType()).toEqual({ email: 1, name: 1 })
})
