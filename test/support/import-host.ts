/** A host of imports that behaves as documented: uploads whose locations change, replicas that lag, logs that expire. */

import { createHash } from 'node:crypto'
import { type Asked, type Host, openHost, type Reply, TOKEN } from './scripted-host.ts'

/** An upload, as far as it has come. */
export interface HostUpload {
  guid: string
  name: string
  size: number
  parts: Buffer[]
  isWhole: boolean
}

/** An import that was started. */
export interface HostImport {
  id: string
  state: string
  sourceUrl: string
  createdAt: string
  repositoryName: string
  failureReason: string | null
  warningsCount: number
  migrationLogUrl: string | null
  variables: Record<string, unknown>
}

export interface ImportHost {
  readonly host: Host
  readonly uploads: HostUpload[]
  readonly imports: HostImport[]
  readonly invited: Record<string, unknown>[]
  /** The repositories of the organization. */
  readonly names: Set<string>
  mannequins: { id: string; login: string; claimant: { login: string; id: string } | null }[]
  /** States after QUEUED, one for each time that somebody asks. */
  states: string[]
  failureReason: string | null
  log: string
  /** Requests for an import that a replica does not know yet. */
  lag: number
  /** Addresses of the log that have expired when they are used. */
  expired: number
  /** Locations with the host and scheme. */
  isAbsolute: boolean
  /** Says the address of an upload at the end. */
  saysUri: boolean
  /** Called when something is about to be answered; true loses the answer. */
  loses: (what: 'whole' | 'begin' | 'part' | 'end' | 'start', count: number) => boolean
}

export const ORGANIZATION = { login: 'forge', id: 'O_forge', databaseId: 7, name: 'The Forge' }
const UPLOADS = `/organizations/${ORGANIZATION.databaseId}/gei/archive`

/** Starts such a host for one test. */
export async function openImportHost(): Promise<ImportHost> {
  const host = await openHost()
  return addImports(host)
}

/** Adds imports to a host. */
export function addImports(host: Host): ImportHost {
  const counts = new Map<string, number>()
  const own: ImportHost = {
    host,
    uploads: [],
    imports: [],
    invited: [],
    names: new Set(),
    mannequins: [],
    states: ['IN_PROGRESS', 'SUCCEEDED'],
    failureReason: null,
    log: '',
    lag: 0,
    expired: 0,
    isAbsolute: false,
    saysUri: true,
    loses: () => false,
  }
  const answered = (what: Parameters<ImportHost['loses']>[0], reply: Reply): Reply => {
    const count = (counts.get(what) ?? 0) + 1
    counts.set(what, count)
    return own.loses(what, count) ? (_request, response) => void response.destroy() : reply
  }
  host.answer = (asked) => {
    const url = new URL(asked.path, host.url)
    const [, logged] = /^\/logs\/(\w+)$/.exec(url.pathname) ?? []
    if (logged !== undefined) return answerLog(own, asked)
    const [, name = ''] =
      new RegExp(`^/repos/${ORGANIZATION.login}/([^/]+)$`).exec(url.pathname) ?? []
    const isOurs = name !== '' || url.pathname === '/graphql' || url.pathname.startsWith(UPLOADS)
    if (!isOurs) return undefined
    if (asked.headers.authorization !== `token ${TOKEN}`) return { status: 401, body: {} }
    if (name !== '') {
      const full_name = `${ORGANIZATION.login}/${name}`
      return own.names.has(name) ? { status: 200, body: { full_name } } : { status: 404 }
    }
    if (url.pathname === '/graphql') return answerGraph(own, asked, answered)
    return answerUpload(own, asked, url, answered)
  }
  return own
}

/** The log of an import. Its address is signed and takes no token. */
function answerLog(own: ImportHost, { headers }: Asked): Reply {
  if (headers.authorization !== undefined) return { status: 400 }
  if (own.expired-- > 0) return { status: 403 }
  return (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain' })
    response.end(own.log)
  }
}

type Answered = (what: Parameters<ImportHost['loses']>[0], reply: Reply) => Reply

function answerUpload(own: ImportHost, asked: Asked, url: URL, answered: Answered): Reply {
  const { uploads, host } = own
  const { method, bytes } = asked
  const guidOf = () => createHash('md5').update(`${uploads.length}`).digest('hex')
  const describe = ({ guid, name, size }: HostUpload) => ({
    guid,
    node_id: `MA_${guid}`,
    name,
    size,
    created_at: '2026-01-01T00:00:00Z',
    ...(own.saysUri && { uri: `gei://archive/${guid}` }),
  })
  const located = (upload: HostUpload): Reply => {
    const { guid, parts } = upload
    const path = `${UPLOADS}/blobs/uploads?part_number=${parts.length + 1}&guid=${guid}&upload_id=${tag(upload)}`
    return { status: 202, headers: { Location: own.isAbsolute ? host.url + path : path } }
  }
  if (method === 'POST' && url.pathname === UPLOADS) {
    const name = url.searchParams.get('name') ?? ''
    const upload = { guid: guidOf(), name, size: bytes.length, parts: [bytes], isWhole: true }
    uploads.push(upload)
    return answered('whole', { status: 201, body: describe(upload) })
  }
  if (method === 'POST') {
    const { name, size } = JSON.parse(asked.body) as { name: string; size: number }
    const upload = { guid: guidOf(), name, size, parts: [], isWhole: false }
    uploads.push(upload)
    return answered('begin', located(upload))
  }
  const upload = uploads.find(({ guid }) => guid === url.searchParams.get('guid'))
  if (!upload) return { status: 404 }
  const number = Number(url.searchParams.get('part_number'))
  const isNext =
    number === upload.parts.length + 1 && url.searchParams.get('upload_id') === tag(upload)
  if (method === 'PUT') {
    const sum = upload.parts.reduce((sum, { length }) => sum + length, 0)
    if (sum !== upload.size || number !== upload.parts.length + 1) return { status: 422 }
    upload.isWhole = true
    return answered('end', { status: 201, body: describe(upload) })
  }
  const isRepeated = number === upload.parts.length && upload.parts.at(-1)?.equals(bytes) === true
  if (!isNext && !isRepeated) return { status: 409 }
  if (isNext) upload.parts.push(bytes)
  return answered('part', located(upload))
}

/** Locations cannot be guessed from others. */
const tag = ({ guid, parts }: HostUpload) =>
  createHash('md5').update(`${guid} ${parts.length}`).digest('hex')

const notFound = (id: unknown): Reply => ({
  status: 200,
  body: {
    data: { node: null },
    errors: [
      { type: 'NOT_FOUND', message: `Could not resolve to a node with the global id of '${id}'.` },
    ],
  },
})

const refusal = (message: string): Reply => ({
  status: 200,
  body: { data: null, errors: [{ type: 'UNPROCESSABLE', message }] },
})

function answerGraph(own: ImportHost, asked: Asked, answered: Answered): Reply {
  const { query, variables } = JSON.parse(asked.body) as {
    query: string
    variables: Record<string, string>
  }
  const data = (data: object): Reply => ({ status: 200, body: { data } })
  const { imports, names } = own
  if (query.includes('createMigrationSource(')) {
    const migrationSource = { id: 'MS_1', name: variables.name, type: variables.type }
    return data({ createMigrationSource: { migrationSource } })
  }
  if (query.includes('startRepositoryMigration(')) {
    const { repositoryName = '', sourceRepositoryUrl = '' } = variables
    for (const uri of [variables.gitArchiveUrl, variables.metadataArchiveUrl]) {
      const upload = own.uploads.find(({ guid }) => uri === `gei://archive/${guid}`)
      if (!upload?.isWhole) return refusal(`There is no archive ${uri}`)
    }
    const isTaken = names.has(repositoryName)
    const found: HostImport = {
      id: `RM_${imports.length + 1}`,
      state: 'QUEUED',
      sourceUrl: sourceRepositoryUrl,
      createdAt: new Date().toISOString(),
      repositoryName,
      failureReason: isTaken ? `A repository called forge/${repositoryName} already exists` : null,
      warningsCount: 0,
      migrationLogUrl: null,
      variables,
    }
    imports.push(found)
    return answered('start', data({ startRepositoryMigration: { repositoryMigration: found } }))
  }
  if (query.includes('repositoryMigrations(')) {
    const nodes = imports.filter(
      ({ repositoryName }) => repositoryName === variables.repositoryName,
    )
    return data({ organization: { repositoryMigrations: { nodes } } })
  }
  if (query.includes('mannequins(')) {
    const start = Number(variables.after ?? 0)
    const nodes = own.mannequins.slice(start, start + 2)
    const pageInfo = {
      endCursor: String(start + 2),
      hasNextPage: start + 2 < own.mannequins.length,
    }
    return data({ node: { mannequins: { nodes, pageInfo } } })
  }
  if (/(createAttributionInvitation|reattributeMannequinToUser)\(/.test(query)) {
    const name = /createAttr/.test(query)
      ? 'createAttributionInvitation'
      : 'reattributeMannequinToUser'
    if (variables.targetId === 'U_stranger') {
      return refusal('Target must be a member of the forge organization')
    }
    own.invited.push({ name, ...variables })
    return data({ [name]: { source: {}, target: {} } })
  }
  if (query.includes('user(')) {
    const { login } = variables
    return login === 'nobody' ? data({ user: null }) : data({ user: { id: `U_${login}`, login } })
  }
  if (query.includes('organization(')) {
    if (variables.login !== ORGANIZATION.login) {
      return {
        status: 200,
        body: { data: { organization: null }, errors: [{ type: 'NOT_FOUND', message: 'none' }] },
      }
    }
    return data({ organization: ORGANIZATION })
  }
  const found = imports.find(({ id }) => id === variables.id)
  if (!found || own.lag-- > 0) return notFound(variables.id)
  advance(own, found)
  return data({ node: found })
}

/** Each time that somebody asks, an import is further on. */
function advance(own: ImportHost, found: HostImport): void {
  const { host, names, states } = own
  const at = states.indexOf(found.state)
  const isTaken = found.failureReason !== null
  found.state = isTaken ? 'FAILED' : (states[at + 1] ?? found.state)
  if (!/^(SUCCEEDED|FAILED)/.test(found.state)) return
  if (found.state === 'SUCCEEDED') names.add(found.repositoryName)
  else found.failureReason ??= own.failureReason
  found.warningsCount = own.log.match(/WARN/g)?.length ?? 0
  found.migrationLogUrl = `${host.url}/logs/${found.id}?signature=${Math.max(0, own.expired)}`
}
