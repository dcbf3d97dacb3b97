// What may stand between words. Each alternative matches in one way only, so that none is tried twice.
const GAP = String.raw`(?:[\s;\ufeff]|--[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*(?:\*/|$))`

const PRAGMA = new RegExp(
  `^${GAP}*(?:explain${GAP}+(?:query${GAP}+plan${GAP}+)?)?pragma\\b(?:${GAP}+(?:\\w+\\.)?(\\w+))?`,
  'i',
)

/** Those that only tell, whatever stands behind them; as functions, such as `pragma_table_info`, all do. */
const TELLING = new Set([
  ...['table_list', 'table_info', 'table_xinfo', 'index_list', 'index_info', 'index_xinfo'],
  ...['foreign_key_list', 'foreign_key_check', 'integrity_check', 'quick_check'],
  ...['database_list', 'collation_list', 'function_list', 'module_list', 'pragma_list'],
  ...['compile_options', 'user_version', 'application_id', 'page_count', 'freelist_count'],
])

/**
 * Whether a statement is a PRAGMA that may change how SQLite works. SQLite follows some of these as soon as it
 * prepares the statement, even to explain it, and counts them as reading.
 */
export function isUnsafePragma(sql: string): boolean {
  const match = PRAGMA.exec(sql)
  return match !== null && !TELLING.has((match[1] ?? '').toLowerCase())
}
