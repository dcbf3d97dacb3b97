/**
 * SQLite's functions that facts, views and saved questions use, as macros of DuckDB. A statement that is translated calls
 * them by their names with `sqlite_` in front. A function that is not here has one meaning in both.
 */
export const SPELLINGS: Readonly<Record<string, readonly Macro[]>> = {
  // The same arithmetic as SQLite's, to the last bit: a day of milliseconds since noon of the first Julian day.
  julianday: [macro('t', `(epoch_ms(${timeOf('t')}) + 210866760000000) / 86400000.0::DOUBLE`)],
  unixepoch: [macro('t', `epoch_ms(${timeOf('t')}) // 1000`)],
  strftime: [
    macro('form, t', `strftime(${timeOf('t')}, form)`),
    macro('form, t, change', `strftime(${changed('t', 'change')}, form)`),
  ],
  date: [
    macro('t', `strftime(${timeOf('t')}, '%Y-%m-%d')`),
    macro('t, change', `strftime(${changed('t', 'change')}, '%Y-%m-%d')`),
  ],
  datetime: [
    macro('t', `strftime(${timeOf('t')}, '%Y-%m-%d %H:%M:%S')`),
    macro('t, change', `strftime(${changed('t', 'change')}, '%Y-%m-%d %H:%M:%S')`),
  ],
  time: [macro('t', `strftime(${timeOf('t')}, '%H:%M:%S')`)],
  iif: [macro('a, b', 'CASE WHEN a THEN b END'), macro('a, b, c', 'CASE WHEN a THEN b ELSE c END')],
  typeof: [
    macro(
      'x',
      `CASE WHEN x IS NULL THEN 'null' WHEN typeof(x) IN ('DOUBLE', 'FLOAT') OR typeof(x) LIKE 'DECIMAL%' THEN 'real'
  WHEN typeof(x) LIKE '%INT%' OR typeof(x) = 'BOOLEAN' THEN 'integer' WHEN typeof(x) = 'BLOB' THEN 'blob' ELSE 'text' END`,
    ),
  ],
  // These compare several values. With one argument, max and min are aggregates in both.
  max: [macro('a, b', 'CASE WHEN a IS NOT NULL AND b IS NOT NULL THEN greatest(a, b) END')],
  min: [macro('a, b', 'CASE WHEN a IS NOT NULL AND b IS NOT NULL THEN least(a, b) END')],
  // A number is cut, not rounded, and a text is read as far as it is a number.
  integer: [
    macro(
      'x',
      `CASE WHEN typeof(x) IN ('DOUBLE', 'FLOAT') OR typeof(x) LIKE 'DECIMAL%' THEN TRY_CAST(trunc(TRY_CAST(x AS DOUBLE)) AS BIGINT)
  WHEN typeof(x) = 'VARCHAR' THEN coalesce(TRY_CAST(regexp_extract(x::VARCHAR, '^\\s*([+-]?\\d+)', 1) AS BIGINT), 0 * length(x::VARCHAR))
  ELSE TRY_CAST(x AS BIGINT) END`,
    ),
  ],
  // Without rows, SQLite gives an empty list.
  json_group_array: [macro('x', `coalesce(CAST(json_group_array(x) AS VARCHAR), '[]')`)],
  json_extract: [macro('j, p', plainJson('json_extract(j, p)'))],
  json_type: [macro('j', typeOfJson('json_type(j)')), macro('j, p', typeOfJson('json_type(j, p)'))],
  char: [macro('n', 'chr(n)')],
}

/** The parameters of a macro, and the expression that it stands for. */
interface Macro {
  readonly parameters: string
  readonly body: string
}

function macro(parameters: string, body: string): Macro {
  return { parameters, body }
}

/** A time that SQLite reads in a text, in UTC; NULL for what is none. */
function timeOf(text: string): string {
  return `CAST(TRY_CAST(${text} AS TIMESTAMPTZ) AS TIMESTAMP)`
}

/** A time with a modifier: `unixepoch` for seconds, `start of month`, or a number of units such as `+1 month`. */
function changed(text: string, change: string): string {
  const units = ['second', 'minute', 'hour', 'day', 'month', 'year'].map(
    (unit) =>
      `WHEN regexp_full_match(${change}, '[+-]?\\d+ ${unit}s?') THEN ${timeOf(text)} + to_${unit}s(CAST(regexp_extract(${change}, '[+-]?\\d+') AS INTEGER))`,
  )
  const starts = ['day', 'month', 'year'].map(
    (unit) => `WHEN ${change} = 'start of ${unit}' THEN date_trunc('${unit}', ${timeOf(text)})`,
  )
  return `CASE WHEN ${change} = 'unixepoch' THEN CAST(make_timestamp(TRY_CAST(${text} AS BIGINT) * 1000000) AS TIMESTAMP)
  ${[...starts, ...units].join('\n  ')} END`
}

/** A value of JSON as SQLite gives it: the text of a text, a list or an object as JSON. */
function plainJson(json: string): string {
  return `(${json}) ->> '$'`
}

/** The words of SQLite for types of JSON. */
export function typeOfJson(type: string): string {
  return `CASE ${type} WHEN 'VARCHAR' THEN 'text' WHEN 'UBIGINT' THEN 'integer' WHEN 'BIGINT' THEN 'integer' WHEN 'HUGEINT' THEN 'integer'
  WHEN 'DOUBLE' THEN 'real' WHEN 'BOOLEAN' THEN 'true' WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN 'NULL' THEN 'null' END`
}

/** The statement that makes the macro of a function. */
export const createMacro = (name: string): string =>
  `CREATE OR REPLACE TEMP MACRO sqlite_${name}${(SPELLINGS[name] ?? [])
    .map(({ parameters, body }) => `(${parameters}) AS ${body}`)
    .join(', ')}`
