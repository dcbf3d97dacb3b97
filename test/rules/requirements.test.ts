import { describe, expect, test } from 'vitest'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { memberPaths } from '../../src/records/kinds/member-paths.ts'
import {
  COLOR_MEMBERS,
  LINE_MEMBERS,
  LISTS_WITH_OFFSETS,
  requirementOf,
  SHA_MEMBERS,
} from '../../src/rules/requirements.ts'

describe.each(Object.entries(KINDS))('The requirements of %s', (name, kind) => {
  const { required, orNull = [], parents = [], files = {} } = requirementOf(name)
  const paths = memberPaths(kind)
  const texts = paths.map(({ text }) => text)

  test('name each member once, including url', () => {
    const members = [...required, ...orNull, ...parents]
    expect(new Set(members).size).toBe(members.length)
    expect(required).toContain('url')
  })

  test('name members of the kind', () => {
    for (const path of [...Object.keys(files), ...(LINE_MEMBERS[name] ?? [])]) {
      expect(texts).toContain(path)
    }
  })
})

test('Members known by name are members of some kind', () => {
  const names = Object.values(KINDS).flatMap((kind) => memberPaths(kind).map(({ name }) => name))
  for (const name of [...SHA_MEMBERS, ...COLOR_MEMBERS, ...LISTS_WITH_OFFSETS]) {
    expect(names).toContain(name)
  }
})

test('An unknown kind has no requirements', () => {
  expect(requirementOf('gadgets')).toEqual({ documented: false, required: [] })
  expect(requirementOf('toString')).toEqual({ documented: false, required: [] })
})
