/**
 * Which values of records are valid, in SQL over built-in functions, so that the result is the same in any SQLite. `reading/times.ts` has
 * the rule for times in JavaScript.
 */

/**
 * Seconds since 1970 of a time in a record, whatever its offset; without one it is UTC, and a day alone is its first
 * second. NULL if it is not a time: February 30 is none, nor is `now`, which SQLite knows, nor a text of more than
 * 99 characters, as SQLite adds up the digits of a fraction until there are too many. Nearly all times have the
 * form of the first test, which is fast.
 *
 * @param time a column, or another expression that costs little: it is there several times
 */
export const timeOf = (time: string): string =>
  `CASE WHEN ${time} < '0001' THEN NULL
    WHEN ${time} GLOB '????-??-??T??:??:??Z' AND substr(${time}, 9, 2) < '29' AND substr(${time}, 12, 2) < '24'
    OR strftime('%Y-%m-%dT%H:%M:%S', substr(${time}, 1, 19)) = substr(${time}, 1, 19) AND ${time} NOT GLOB '*[^-0-9TZ:+.]*'
      AND length(${time}) < 100
    OR strftime('%Y-%m-%d', ${time}) = ${time} THEN unixepoch(${time}) END`

/** The same time in UTC and to the second, as the host writes it: `2024-01-31T23:59:59Z`. */
export const utcTimeOf = (time: string): string =>
  `strftime('%Y-%m-%dT%H:%M:%SZ', ${timeOf(time)}, 'unixepoch')`

/** An integer; NULL for anything else. */
export const integerOf = (value: string): string =>
  `CASE typeof(${value}) WHEN 'integer' THEN ${value} END`

/** A text; NULL for anything else. */
export const textOf = (value: string): string =>
  `CASE typeof(${value}) WHEN 'text' THEN ${value} END`

/** The elements of a JSON array as rows with `key`, `value` and `type`; none if it is anything else. */
export const elementsOf = (json: string, alias: string): string =>
  `json_each(CASE WHEN json_valid(${json}) AND json_type(${json}) = 'array' THEN ${json} END) AS ${alias}`

/** A member of an element that is an object; NULL otherwise. */
export const memberOf = (alias: string, name: string): string =>
  `CASE ${alias}.type WHEN 'object' THEN ${alias}.value ->> '${name}' END`
