/**
 * A program as users write it, in strict TypeScript without skipLibCheck: compiled against the declarations that are
 * packed, never run. What must not compile is marked; a mark where all is well is an error, too.
 */
import {
  type ArchiveEntry,
  type ArchiveRecord,
  type Bytes,
  buildArchive,
  checkDatabase,
  cloneRepository,
  type Database,
  exportArchive,
  extractAttachments,
  findRecord,
  inspectArchive,
  loadArchive,
  openDatabase,
  openRepository,
  type PageServer,
  readArchive,
  readArchiveRecords,
  readRecords,
  runQuery,
  type SiteSummary,
  searchDatabase,
  servePages,
  verifyRepository,
  writeArchive,
  writeSite,
} from '../../src/index.ts'

const path: string = 'export.tar.gz'
const bytes: Bytes = (async function* () {
  yield new Uint8Array(1)
})()

const use = (..._: unknown[]): void => {}

// An archive is a path, or bytes.
export const entries: AsyncGenerator<ArchiveEntry> = readArchive(path, { limits: { depth: 9 } })
export const streamed = readArchive(bytes)
export const written: AsyncGenerator<Uint8Array> = writeArchive(entries)
// @ts-expect-error a number is no archive
readArchive(5)
// @ts-expect-error there is no such option
readArchive(path, { limit: 5 })

// Records have the types of their kind, without a cast.
for await (const { kind, record } of readArchiveRecords(path)) {
  if (kind === 'issues') {
    const title: string | null = record.title
    use(title, record.labels.length)
  } else if (kind === undefined) use(Object.keys(record))
}
for await (const { record } of readArchiveRecords(path, { kinds: ['users', 'bots'] })) {
  const login: string | null = record.login
  use(login)
}
// @ts-expect-error there is no such kind
readArchiveRecords(path, { kinds: ['usrs'] })
for await (const { record, index } of readRecords(bytes, 'x.json')) use(record.url, index)

export const { archives } = await loadArchive([path, { name: 'stdin', bytes }], 'x.db')
export const inspection = await inspectArchive(path)
export const { writers, schema, kinds } = inspection

// A database has types of its own, and those of better-sqlite3 are not needed.
const database: Database = openDatabase('x.db')
export const rows: { title: string }[] = database
  .prepare<[number], { title: string }>('SELECT title FROM issues WHERE number = ?')
  .all(5)
// @ts-expect-error a database is not any
export const wrong: number = database
export const { columns, rows: answer } = runQuery(database, 'SELECT 1', { a: 1 })
export const issue: ArchiveRecord<'issues'> | undefined = findRecord(database, 'x', 'issues')
export const anyRecord = findRecord(database, 'x')
export const checked = await checkDatabase(database, { profile: 'gei' })
// @ts-expect-error there is no such profile
await checkDatabase(database, { profile: 'x' })
export const found = [...searchDatabase(database, 'tea', { kinds: ['issue'], since: new Date() })]
export const extracted = await extractAttachments(database, 'uploads', { by: 'issue' })
export const cloned = await cloneRepository(database, 'ada/kettle', 'kettle.git')
export const repository = openRepository(database, 'ada/kettle')
export const file: Uint8Array = await repository.readFile('main', 'README.md')
for await (const fault of verifyRepository(database, 'ada/kettle')) use(fault.code)
export const built = buildArchive(database, { kinds: ['issues'], signal: AbortSignal.timeout(5) })
database.close()

export const site: SiteSummary = await writeSite(['x.db'], 'site', { public: true, commits: 10 })
// @ts-expect-error a site has a folder
writeSite(['x.db'])
export const pages: PageServer = await servePages(['x.db'], { port: 0 })
export const html: string = await (await pages.fetch(new Request('http://localhost/'))).text()
export const place: string | undefined = pages.pathOf('https://h/ada')

const ada = { url: 'https://h/ada', login: 'ada', name: null, emails: [], created_at: null }
exportArchive({ records: { users: [ada] }, otherRecords: { gadgets: [{ any: 'thing' }] } })
// @ts-expect-error a typing error in the name of a kind
exportArchive({ records: { usrs: [ada] } })
// @ts-expect-error users need a login
exportArchive({ records: { users: [{ url: 'https://h/ada' }] } })

// An option may be undefined, as one that is handed on from options of one's own.
type Optional<T> = { [Name in keyof T]-?: object extends Pick<T, Name> ? Name : never }[keyof T]
type Refusing<T> = T extends unknown
  ? {
      [Name in Optional<T>]: { [Given in Name]: undefined } extends Pick<T, Name> ? never : Name
    }[Optional<T>]
  : never
type Library = typeof import('../../src/index.ts')
type Given = {
  [Name in keyof Library]: Library[Name] extends (...given: infer All) => unknown
    ? Exclude<Extract<All[number], object>, readonly unknown[] | Uint8Array>
    : never
}
declare const refusing: { [Name in keyof Given]: Refusing<Given[Name]> }
export const none: Record<keyof Library, never> = refusing

// Each function that tells of its progress tells how far it is in one object.
type Progress<T> = T extends { progress?: infer Call }
  ? NonNullable<Call> extends (...done: infer Done) => void
    ? Done
    : never
  : never
declare const told: Progress<Given[keyof Given]>
export const done: readonly [object] = told
