import type { ArchiveEntry } from '../archive/entry.ts'
import { asBytes } from '../base/streams.ts'
import { documentsOf, type ExportForm } from '../compose/export-form.ts'
import type { Database } from '../database/open-database.ts'

/** The loaded documents. */
interface Documents {
  schema?: string | null
  urls?: string | null
  version?: string | null
}

/** The entries of schema.json and urls.json: the loaded ones if they fit the form, or new ones. */
export function documentEntries(
  database: Database,
  {
    form,
    kinds,
    modifiedAt,
  }: { form: ExportForm | undefined; kinds: readonly string[]; modifiedAt: Date },
): ArchiveEntry[] {
  const loaded = loadedDocuments(database)
  const made = Object.fromEntries(documentsOf(form ? { form } : {}, kinds))
  const kept = form && !fits(loaded, form, made['schema.json']) ? {} : loaded
  const documents = {
    'schema.json': kept.schema ?? made['schema.json'],
    'urls.json': kept.urls ?? made['urls.json'],
  }
  return Object.entries(documents)
    .filter(([path, text]) => text !== undefined && !isFile(database, path))
    .map(([path, text = '']) => {
      const bytes = Buffer.from(text)
      return { path, size: bytes.length, modifiedAt, mode: 0o644, content: asBytes([bytes]) }
    })
}

/** Only exporters write urls.json, and Enterprise Server only one version. */
function fits({ urls, version }: Documents, form: ExportForm, made = '{}'): boolean {
  if (form === 'exporter') return urls != null
  return urls == null && (form === 'github' || version === JSON.parse(made).version)
}

/** The documents of the last archive that has some. */
function loadedDocuments(database: Database): Documents {
  const select = database.prepare<[], Documents>(
    `SELECT "schema", urls, schema_version AS version FROM archives
     WHERE "schema" IS NOT NULL ORDER BY id DESC LIMIT 1`,
  )
  return select.get() ?? {}
}

/** Whether a document was too large to parse, and is stored as a file. */
const isFile = (database: Database, path: string): boolean =>
  database.prepare('SELECT 1 FROM files WHERE path = ?').get(path) !== undefined
