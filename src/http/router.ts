import { TrieRouter } from 'hono/router/trie-router'
import { decode } from './raw-path.ts'

/** The address of a row. */
export interface Address {
  /** By default any. */
  readonly method?: string
  /**
   * Literal segments and parameters: `:owner` is one segment, `:repo.git` one that ends so, `:path+` one or several.
   */
  readonly path: string
}

/** A row that a request fits, with the parameters of its path, decoded. */
export interface Match<Row> {
  readonly row: Row
  readonly params: Readonly<Record<string, string>>
}

/** Finds the rows of tables that a request fits. */
export interface Router<Row> {
  /**
   * @param path its segments are still encoded
   * @returns all that fit, in the order of the tables
   */
  match(method: string, path: string): Match<Row>[]
}

export function createRouter<Row extends Address>(rows: readonly Row[]): Router<Row> {
  const router = new TrieRouter<{ row: Row; endings: readonly Ending[] }>()
  for (const row of rows) {
    router.add(row.method ?? 'ALL', routeOf(row.path), { row, endings: endingsOf(row.path) })
  }
  return {
    match(method, path) {
      const [found] = router.match(method === 'HEAD' ? 'GET' : method, path)
      return found.map(([{ row, endings }, params]) => ({
        row,
        params: paramsOf(params as Record<string, string>, endings),
      }))
    },
  }
}

/** A parameter with an ending. */
const WITH_ENDING = /:(\w+)(\.[\w.]+)(?=\/|$)/g

/** A path of a table as hono writes it. */
const routeOf = (path: string): string =>
  path
    .replace(WITH_ENDING, (_, name: string, ending: string) => {
      return `:${name}{[^/]+${ending.replaceAll('.', '\\.')}}`
    })
    .replace(/:(\w+)\+/g, ':$1{.+}')

/** A parameter with an ending, which belongs to the path. */
interface Ending {
  readonly name: string
  readonly length: number
}

const endingsOf = (path: string): Ending[] =>
  [...path.matchAll(WITH_ENDING)].map(([, name = '', { length } = '']) => ({ name, length }))

/** The parameters of a path, decoded, without their endings. */
function paramsOf(
  found: Readonly<Record<string, string>>,
  endings: readonly Ending[],
): Record<string, string> {
  const params: Record<string, string> = {}
  for (const name in found) params[name] = decode(found[name] ?? '') ?? ''
  for (const { name, length } of endings) params[name] = (params[name] ?? '').slice(0, -length)
  return params
}
