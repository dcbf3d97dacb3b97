import type { Check } from '../../rules/rule.ts'
import { PROBLEMS_WITH } from '../../rules/sql/record-select.ts'

const archivesWhere = (where: string, message: string, entry = 'schema.json') =>
  `SELECT NULL AS kind, NULL AS url, '${entry}' AS entry, NULL AS record, id AS archive,
     ${message} || ' in ' || name AS message FROM archives WHERE ${where}`

/** Git data alone needs none beside an archive with records. */
const WITHOUT_SCHEMA = `schema IS NULL AND (
  EXISTS (SELECT 1 FROM entries AS e WHERE e.archive = archives.id AND e.role <> 'git' AND e.role <> 'directory')
  OR NOT EXISTS (SELECT 1 FROM archives AS other WHERE other.schema IS NOT NULL))`

/** Reports that a required kind has no record. */
const kindMissing = (
  table: 'repositories' | 'users' | 'organizations',
  severity: Check['severity'],
  summary: string,
): Check => ({
  code: `${table}-missing`,
  severity,
  summary,
  evidence: 'documented',
  source: 'exporters whose archives were imported',
  run(database, faults) {
    const one = database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get()
    if (!one) faults.add({ kind: table, message: `there are no records of ${table}` })
  },
})

/** schema.json, urls.json, and kinds that every archive needs. */
export const schemaChecks: readonly Check[] = [
  {
    code: 'schema-missing',
    severity: 'error',
    summary: 'Without schema.json an importer does not know the format version',
    evidence: 'documented',
    source: 'exporters whose archives were imported',
    run: (_, faults) => faults.addAll(archivesWhere(WITHOUT_SCHEMA, "'schema.json is missing'")),
  },
  {
    code: 'schema-invalid',
    severity: 'error',
    summary: 'schema.json and urls.json are JSON objects; an importer stops at anything else',
    evidence: 'documented',
    source: 'readers, which refuse anything else',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'schema-invalid'),
  },
  {
    code: 'schema-version',
    severity: 'warning',
    summary: 'Importers know the format versions 1.0.1, 1.1.0 and 1.2.0',
    evidence: { seenIn: '17 exports' },
    source: 'observed in real exports and in archives that were imported',
    run: (_, faults) =>
      faults.addAll(
        archivesWhere(
          "schema IS NOT NULL AND coalesce(schema_version, '') NOT IN ('1.0.1', '1.1.0', '1.2.0')",
          `'the version is ' || coalesce('"' || substr(schema_version, 1, 40) || '"', 'missing')`,
        ),
      ),
  },
  {
    code: 'schema-urls',
    severity: 'warning',
    summary: 'Version 1.2.0 requires urls.json, and other versions have none',
    evidence: 'documented',
    source: 'exporters whose archives were imported',
    run: (_, faults) =>
      faults.addAll(
        archivesWhere(
          "schema_version IS NOT NULL AND (schema_version = '1.2.0') <> (urls IS NOT NULL)",
          `'version ' || substr(schema_version, 1, 40) || iif(urls IS NULL, ' without', ' with') || ' urls.json'`,
          'urls.json',
        ),
      ),
  },
  kindMissing('repositories', 'error', 'Without a repository there is nothing to import'),
  kindMissing(
    'users',
    'warning',
    'Without users an importer treats everybody as a deleted account',
  ),
  kindMissing(
    'organizations',
    'note',
    'Exporters always write an organization; only the export of a personal account has none',
  ),
]
