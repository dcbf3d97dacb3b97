import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openClickHouseTarget } from '../../../../src/exporters/targets/clickhouse/clickhouse.ts'
import {
  openConnection,
  withoutPassword,
} from '../../../../src/exporters/targets/clickhouse/connection.ts'
import { describeSchema, text } from '../../../../src/exporters/targets/clickhouse/schema.ts'

/** What a server does is tested with ClickHouse: npm run engines:test. */

test.each([
  ['http://a:b@h:8123/', 'http://a:***@h:8123/'],
  ['https://h/?password=b', 'https://h/?password=***'],
  ['http://h/', 'http://h/'],
  ['a:b@h', 'clickhouse'],
])('The password of %s is not shown', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown)
})

test('A database has tables in order of repository and URL, and views', () => {
  const sql = describeSchema('a"b')
  expect(sql).toContain('CREATE DATABASE IF NOT EXISTS "a""b"')
  const issues = sql
    .split('\n\n')
    .find((one) => one.includes('CREATE TABLE IF NOT EXISTS "issues"'))
  expect(issues).toContain('PARTITION BY _archive ORDER BY ("repository", "url")')
  for (const view of ['archives', 'threads', 'latest_users']) {
    expect(sql).toContain(`CREATE OR REPLACE VIEW "${view}"`)
  }
})

test('A text is a text in SQL, whatever it holds', () => {
  expect(text("a'b\\c\0d\n")).toBe("'a\\'b\\\\c\\0d\n'")
})

describe('Refused', () => {
  test.each(['localhost', 'postgres://h/d', 'http://'])('option-invalid: %s', async (url) => {
    await expect(openClickHouseTarget(url, {})).rejects.toMatchObject({ code: 'option-invalid' })
  })

  /** A server that answers with one status and text, and remembers what it was asked. */
  async function answering(status: number, body: string) {
    const asked: string[] = []
    const server = createServer(({ url = '', headers }, response) => {
      asked.push(`${headers['x-clickhouse-user']} ${new URL(url, 'http://h').search}`)
      response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const close = () => new Promise((resolve) => server.close(resolve))
    return { url: `http://marc:secret@127.0.0.1:${port}`, asked, close }
  }

  test.each([
    ['what the server says', 500, 'Code: 1. DB: no (version 26.7 (x))\nmore', 'Code: 1. DB: no'],
    ['an answer without words', 502, '', 'the server answered with status 502'],
    ['a redirection', 302, '', 'unexpected redirect'],
  ])('target-failed: %s', async (_what, status, body, message) => {
    const { url, asked, close } = await answering(status, body)
    const { run, shown } = openConnection(url, { database: 'd' })
    await expect(run('SELECT 1')).rejects.toMatchObject({ code: 'target-failed', message })
    expect(shown).not.toContain('secret')
    expect(asked).toEqual([expect.stringMatching(/^marc \?database=d&wait_end_of_query=1/)])
    await close()
  })
})
