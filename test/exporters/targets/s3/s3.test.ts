import { describe, expect, test } from 'vitest'
import { datasetViews } from '../../../../src/exporters/ddl/dataset-views.ts'
import { EXPORTERS } from '../../../../src/exporters/exporters.ts'
import { openObjectStore, PACKAGES } from '../../../../src/exporters/targets/s3/object-store.ts'
import { isStore, withoutPassword } from '../../../../src/exporters/targets/s3/place.ts'
import { openS3Target } from '../../../../src/exporters/targets/s3/s3.ts'
import { run } from '../../../support/run-command.ts'

/** What a store does is tested with one: npm run engines:test. */

const credentials = { accessKeyId: 'AKIA', secretAccessKey: 'secret' }

test.each([
  ['s3://bucket/lake', true],
  ['S3://bucket', true],
  ['s3', false],
  ['./s3://bucket', false],
])('%s is in an object store: %s', (place, expected) => {
  expect(isStore(place)).toBe(expected)
})

describe('option-invalid:', () => {
  test.each([
    's3://',
    's3://x',
    's3://Bucket/lake',
    's3://bucket/a//b',
    's3://bucket/../a',
    's3://bucket/a/./b',
    's3://bucket/a\nb',
    's3://AKIA:secret@bucket/lake',
  ])('%j is no place in a store', (place) => {
    expect(() => openObjectStore(place, { credentials })).toThrow(
      expect.objectContaining({
        code: 'option-invalid',
        message: 'expected a place such as s3://bucket/folder',
      }),
    )
  })
})

test('package-missing: an object store needs its package', async () => {
  await expect(openS3Target('s3://bucket/lake', { s3: credentials })).rejects.toMatchObject({
    code: 'package-missing',
    value: PACKAGES,
  })
  const env = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret' }
  for (const format of Object.keys(EXPORTERS).slice(0, 3)) {
    const line = ['export', 'samples/hello.tar.gz', `--${format}`, 's3://bucket/lake']
    const { code, stderr } = await run(line, { env })
    expect([code, stderr]).toEqual([2, expect.stringContaining(`npm install -g ${PACKAGES}`)])
  }
})

test.each([
  ['s3://bucket/lake', 's3://bucket/lake'],
  ['s3://AKIA:secret@bucket/lake', 's3://AKIA:***@bucket/lake'],
  ['s3://AKIA:se/cret@bucket/lake', 's3'],
])('The key in %s is not shown', (place, shown) => {
  expect(withoutPassword(place)).toBe(shown)
})

describe('The views of a dataset in an object store', () => {
  const [folder, url] = ['s3://bucket/lake', 'https://store.example/bucket/lake']

  test.each([
    ['duckdb', "read_parquet('s3://bucket/lake/kind=issues/archive=*/data.parquet'"],
    ['duckdb', "read_json('s3://bucket/lake/_marc/archives/*.json'"],
    ['clickhouse', `s3('${url}/kind=issues/archive=*/data.parquet', 'Parquet', `],
    ['clickhouse', `s3('${url}/_marc/archives/*.json', 'JSONEachRow', `],
    ['spark', "path 's3a://bucket/lake/kind=issues/archive=*'"],
    ['spark', "path 's3a://bucket/lake/_marc/archives'"],
  ] as const)('name it for %s: %s', (engine, expected) => {
    expect(datasetViews(engine, folder, ['issues'], url)).toContain(expected)
  })
})
