import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/base/errors.ts'
import { readDocument, readSchema } from '../../src/records/read-schema.ts'

const read = (text: string) => {
  const problems: Problem[] = []
  return { facts: readSchema(text, (problem) => problems.push(problem)), problems }
}

describe('readSchema', () => {
  test('reads version and commit', () => {
    const text = '{"version":"1.0.1","github_sha":"ab12","more":[1]}'
    expect(read(text)).toEqual({ facts: { version: '1.0.1', github_sha: 'ab12' }, problems: [] })
  })

  test.each(['1.0.1', '1.1.0', '1.2.0', '1.99'])('takes version %s', (version) => {
    expect(read(JSON.stringify({ version }))).toEqual({ facts: { version }, problems: [] })
  })

  test.each([
    ['"2.0.0"', '"2.0.0"', { version: '2.0.0' }],
    ['"10.0"', '"10.0"', { version: '10.0' }],
    ['"one"', '"one"', { version: 'one' }],
    ['1.0', '1.0', {}],
    ['null', 'null', {}],
  ])('reports the version %s', (version, found, facts) => {
    const message = `expected a version 1.x, found ${found}`
    expect(read(`{"version":${version}}`)).toEqual({
      facts,
      problems: [{ code: 'schema-version', place: { entry: 'schema.json' }, message }],
    })
  })

  test('reports a missing version', () => {
    expect(read('{}').problems).toEqual([expect.objectContaining({ code: 'schema-version' })])
  })

  test.each(['', '{', '[]', '"1.0.1"', 'null', `${'['.repeat(600)}${']'.repeat(600)}`])(
    'reports what is no object: %.20s',
    (text) => {
      const message = 'expected a JSON object'
      expect(read(text)).toEqual({
        facts: {},
        problems: [{ code: 'schema-invalid', place: { entry: 'schema.json' }, message }],
      })
    },
  )
})

test('readDocument reads urls.json', () => {
  const urls = { user: '{scheme}://{+host}/{user}' }
  expect(readDocument('urls.json', JSON.stringify(urls), () => {})).toEqual(urls)
})
