/** Who may call an endpoint. A stranger sends no credentials. */
export type Who =
  /** Everybody; strangers see what is public. */
  | 'all'
  /** Callers with a token; a stranger gets 404. */
  | 'user'
  /** Callers with user name and password, and a one-time password where the account wants one. */
  | 'password'
  /** Callers with a token that has the scope of the directory. */
  | 'scope'
  /** Everybody with a signed address. */
  | 'signature'

/** A feature that is selected by a media type of its own. */
export type Preview = 'starfox' | 'sailor-v' | 'machine-man' | 'wyandotte'

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Literal segments and parameters: `:owner` is one segment, `:path+` one or several. */
  readonly path: string
  /** The name of the function that answers; also its name in tests and in `marc help endpoints`. */
  readonly handler: string
  readonly who: Who
  readonly summary: string
  /** The chapter of the documentation, below `https://developer.github.com/v3/`. */
  readonly chapter: string
  readonly previews?: readonly Preview[]
  /** A feed has at most 10 pages of 30; a list has pages as large as the request wants. */
  readonly list?: 'feed' | 'list'
  /** Its name in the index at `/`. */
  readonly index?: string
  /** Besides JSON it answers with bytes, for `Accept: application/octet-stream` or a media type that ends in `raw`. */
  readonly hasBytes?: true
  /** It answers with text or bytes whatever `Accept` says: its path says which. */
  readonly isText?: true
  /** Its body is bytes, which may take as long as they come, and it answers whatever `Accept` says. */
  readonly takesBytes?: true
  /** Where a page has the same address, it answers only those who send credentials. */
  readonly isForCallers?: true
  /** A token without scope `repo` sees less here. */
  readonly hasPrivate?: true
}

/** Whether an endpoint answers whatever a request accepts: pages, pictures, archives, uploads, and the directory. */
export const takesAnyAccept = ({ path, who, isText, takesBytes }: Endpoint): boolean =>
  isText === true ||
  takesBytes === true ||
  who === 'scope' ||
  who === 'signature' ||
  path.startsWith('/_')

/** Where the documentation of a chapter is. */
export const documentationUrl = (chapter: string): string =>
  `https://developer.github.com/v3/${chapter}`

/** The facts about an endpoint besides its method, path, handler and summary. */
export type Rest = Omit<Endpoint, 'method' | 'path' | 'handler' | 'summary'>

const define =
  (method: Endpoint['method']) =>
  <const Name extends string>(path: string, handler: Name, summary: string, rest: Rest) => ({
    method,
    path,
    handler,
    summary,
    ...rest,
  })
export const get = define('GET')
export const post = define('POST')
export const patch = define('PATCH')
export const put = define('PUT')
export const remove = define('DELETE')
