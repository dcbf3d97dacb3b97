/** A comment, a string, a quoted name, a word or a sign. A string or comment that is not closed extends to the end. */
const TOKEN =
  /--.*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*(?:''[^']*)*(?:'|$)|("[^"]*(?:""[^"]*)*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|[\w$\u0080-\uffff]+)|[^\s]/g

/** Words that may follow a table and are not its alias. */
const NO_ALIAS = new Set(
  `ON USING JOIN LEFT RIGHT FULL INNER OUTER CROSS NATURAL WHERE GROUP HAVING ORDER LIMIT WINDOW UNION INTERSECT EXCEPT
AS INDEXED NOT`.split(/\s+/),
)
/** Words that end a FROM clause. */
const AFTER_FROM = new Set(
  'SELECT WHERE GROUP HAVING ORDER LIMIT WINDOW UNION INTERSECT EXCEPT'.split(' '),
)

/**
 * The tables that a statement reads, keyed by alias or else by name, in order. The statement may be incomplete. Names that
 * it defines itself (WITH) are left out.
 */
export function statementTables(sql: string): Map<string, string> {
  return new Map(tablesIn(sql))
}

/** The names of all tables that a statement reads, in lower case. */
export const readTables = (sql: string): Set<string> =>
  new Set(tablesIn(sql).map(([, table]) => table.toLowerCase()))

function tablesIn(sql: string): [alias: string, table: string][] {
  const tokens = [...sql.matchAll(TOKEN)].filter(([token]) => !/^(--|\/\*)/.test(token))
  const word = (at: number) => tokens[at]?.[0].toUpperCase() ?? ''
  const name = (at: number) => unquoted(tokens[at]?.[1])
  const pairs = parenthesisPairs(tokens)
  const found: [alias: string, table: string][] = []
  const defined = new Set<string>()
  // For each open parenthesis: whether we are in a FROM clause.
  const inFrom = [false]
  for (let at = 0; at < tokens.length; at++) {
    const token = word(at)
    if (token === '(') inFrom.push(false)
    else if (token === ')') inFrom.length > 1 && inFrom.pop()
    else if (AFTER_FROM.has(token)) inFrom[inFrom.length - 1] = false
    else if (token === 'FROM' || token === 'JOIN') inFrom[inFrom.length - 1] = true
    if (token === 'AS' && isBegun(word, at + 1)) {
      const of = name((pairs.get(at - 1) ?? at) - 1)
      if (of !== undefined) defined.add(of.toLowerCase())
    }
    const isNext = token === 'FROM' || token === 'JOIN' || (token === ',' && inFrom.at(-1))
    if (!isNext) continue
    const first = word(at + 2) === '.' ? at + 3 : at + 1
    const table = name(first)
    if (table === undefined) continue
    const behind = ((word(first + 1) === '(' && pairs.get(first + 1)) || first) + 1
    const alias = word(behind) === 'AS' ? behind + 1 : behind
    const isAlias = name(alias) !== undefined && !NO_ALIAS.has(word(alias))
    found.push([isAlias ? (name(alias) as string) : table, table])
  }
  return found.filter(([, table]) => !defined.has(table.toLowerCase()))
}

type Words = (at: number) => string

/** Whether AS names a statement in parentheses. */
const isBegun = (word: Words, at: number): boolean =>
  word(at) === '(' || word(at) === 'MATERIALIZED' || (word(at) === 'NOT' && word(at + 1) !== '')

/** The position of the matching parenthesis, for each parenthesis. */
function parenthesisPairs(tokens: readonly RegExpExecArray[]): Map<number, number> {
  const pairs = new Map<number, number>()
  const open: number[] = []
  for (const [at, [token]] of tokens.entries()) {
    if (token === '(') open.push(at)
    const opened = token === ')' ? open.pop() : undefined
    if (opened !== undefined) pairs.set(opened, at).set(at, opened)
  }
  return pairs
}

function unquoted(name: string | undefined): string | undefined {
  if (name === undefined || !/^["`[]/.test(name)) return name
  const inner = name.slice(1).replace(/["`\]]$/, '')
  return name.startsWith('"') ? inner.replaceAll('""', '"') : inner
}
