import { expect, test } from 'vitest'
import { describeFront, parseShards } from '../../../../src/exporters/targets/postgres/shards.ts'

/** What servers make of it is tested with three of them: npm run engines:test. */

const FRONT = 'postgres://marc:secret@front/warehouse'

test.each([
  ['s1=db1', { name: 's1', host: 'db1', port: '5432', database: 'warehouse', user: 'marc' }],
  ['a-b=10.0.0.1:5433', { name: 'a-b', host: '10.0.0.1', port: '5433' }],
  ['s1=[::1]:5433', { host: '::1', port: '5433' }],
  ['s1=postgres://me:pw@db1/other', { host: 'db1', database: 'other', user: 'me' }],
])('The shard %s has an address', (list, shard) => {
  expect(parseShards(list, FRONT)).toEqual([expect.objectContaining(shard)])
})

test.each([
  '',
  's1',
  's1=',
  '=db1',
  's1=db1,',
  's1=db1,s1=db2',
  "s'1=db1",
  `${'s'.repeat(21)}=db1`,
])('option-invalid: the shards %j', (list) => {
  expect(() => parseShards(list, FRONT)).toThrow(
    expect.objectContaining({ code: 'option-invalid' }),
  )
})

test('A password in a shard that is refused is not repeated', () => {
  expect(() => parseShards('s 1=postgres://me:pw@db1/other', FRONT)).toThrow(/me:\*\*\*@db1/)
})

test('A server in front has a partition of each table on each shard, and never a password', () => {
  const sql = describeFront("a'b", parseShards('s1=db1,s2=postgres://me:pw@db2/other', FRONT))
  expect(sql).toContain(`CREATE FOREIGN TABLE IF NOT EXISTS "issues@s2" PARTITION OF "issues"
  FOR VALUES IN ('s2') SERVER "a'b@s2" OPTIONS (schema_name 'a''b', table_name 'issues');`)
  expect(sql).toContain(`OPTIONS (host 'db2', port '5432', dbname 'other', async_capable 'true'`)
  expect(sql).toContain(`OPTIONS (user 'me')`)
  expect(sql).not.toMatch(/pw|:secret/)
})
